import { Aws, Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Provider } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import { WinnowFunction } from '../constructs/index.ts';

export interface SubscriptionProviderProps {
  readonly bundles: string;
  readonly url: string;
  readonly clusterId: string;
  readonly logLevel?: string | undefined;
}

/**
 * The provider of a stack's Subscriptions: a function that creates, updates and deletes them through the API with its
 * own role.
 */
export class SubscriptionProvider extends Construct {
  readonly serviceToken: string;
  /** The function's role, which must be allowed to log in. */
  readonly role: IRole;

  constructor(scope: Construct, id: string, { url, clusterId, ...shared }: SubscriptionProviderProps) {
    super(scope, id);
    const { function: onEventHandler, role } = new WinnowFunction(this, 'Api', {
      ...shared,
      name: 'subscription-resource',
      description: "creates, updates and deletes the stack's Subscriptions",
      timeout: Duration.minutes(5),
      memorySize: 256,
      environment: {
        [ENVIRONMENT.apiUrl]: url,
        [ENVIRONMENT.clusterId]: clusterId,
        [ENVIRONMENT.partition]: Aws.PARTITION,
      },
    });
    this.role = role;
    this.serviceToken = new Provider(this, 'Provider', { onEventHandler }).serviceToken;
  }
}
