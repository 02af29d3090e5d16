import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Winnow, type WinnowProps } from './cdk/index.ts';

export interface WinnowStackProps extends StackProps, WinnowProps {}

/** A stack with Winnow. With the id `Default` the resources get the names that they would have in the stack itself. */
export class WinnowStack extends Stack {
  constructor(scope: Construct, id: string, props: WinnowStackProps) {
    super(scope, id, {
      description: 'Winnow: labels, selectors, LIST and WATCH as a serverless API',
      ...props,
    });
    new Winnow(this, 'Default', props);
  }
}
