import { askAws } from '../ask-aws.ts';
import type { StackOutputs } from './deployed-api.ts';

interface Description {
  readonly Stacks: readonly {
    readonly Outputs?: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
  }[];
}

/** Asks CloudFormation for a stack's outputs with the AWS CLI, which the login needs anyway. */
export async function stackOutputs(stack: string): Promise<StackOutputs> {
  const text = await askAws(['cloudformation', 'describe-stacks', '--stack-name', stack]).catch((error) => {
    const isMissing = error.cause?.code === 'ENOENT';
    throw isMissing ? new Error(`${error.message}; --outputs FILE does without`) : error;
  });
  const [found] = (JSON.parse(text) as Description).Stacks;
  return Object.fromEntries(
    (found?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
}
