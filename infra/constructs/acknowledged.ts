import { Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Api } from './api.ts';
import type { Canary } from './canary.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';

export interface AcknowledgedProps {
  readonly api: Api;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly canary: Canary | undefined;
}

/** Findings of cdk-nag's AwsSolutions pack that are as they should be, each with the reason. */
export class Acknowledged {
  constructor({ api, functions, queues, canary }: AcknowledgedProps) {
    const { rest } = api;
    acknowledge(rest, 'COG4', 'the login is a Lambda authorizer: its principals are of IAM, not of Cognito');
    acknowledge(
      rest,
      'APIG1',
      'access logs need a role for the whole account; the authorizer logs who got in',
    );
    acknowledge(rest, 'APIG6', 'execution logs need a role for the whole account, and would hold the tokens');
    acknowledge(rest, 'APIG2', 'the functions validate requests and answer as Kubernetes does');
    acknowledge(rest, 'APIG3', 'a web ACL is paid for by the month: it is the deployer who adds one');
    for (const queue of [queues.relayFailures, queues.scheduleFailures]) {
      acknowledge(queue, 'SQS3', 'it is where failures are set aside, of an event source that is no queue');
    }
    const listing = 'IAM5[Resource::*]';
    acknowledge(functions.relay.role, listing, 'dynamodb:ListStreams has no resource of its own');
    if (canary !== undefined) {
      const ownQueue = `IAM5[Resource::arn:<AWS::Partition>:sqs:<AWS::Region>:<AWS::AccountId>:${queues.subscriptionPrefix}kube-system-canary-*]`;
      acknowledge(canary.canary.role, ownQueue, "its Subscription's queue is made anew where it was lost");
    }
    for (const { role } of [functions.dispatch, functions.reconcile]) {
      const queuesOfPrefix = `IAM5[Resource::arn:<AWS::Partition>:sqs:<AWS::Region>:<AWS::AccountId>:${queues.subscriptionPrefix}*]`;
      acknowledge(role, queuesOfPrefix, "subscriptions' queues come and go, all under the stack's prefix");
      const queuesAnywhere = 'IAM5[Resource::arn:<AWS::Partition>:sqs:<AWS::Region>:*:*]';
      acknowledge(
        role,
        queuesAnywhere,
        "anybody's own queue may be sent to, if its owner gave it the stack's tag",
      );
    }
  }
}

function acknowledge(scope: Construct, rule: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}
