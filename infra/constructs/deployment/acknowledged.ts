import { Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Api } from '../entrance/index.ts';
import type { Functions } from '../functions/index.ts';
import type { Canary } from '../optional/index.ts';
import type { Queues } from '../storage/index.ts';

export interface AcknowledgedProps {
  readonly api: Api;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly canary: Canary | undefined;
}

/** Acknowledges findings of cdk-nag's AwsSolutions pack that are intended, each with its reason. */
export class Acknowledged {
  constructor({ api, functions, queues, canary }: AcknowledgedProps) {
    const { rest } = api;
    acknowledge(rest, 'COG4', 'the login is a Lambda authorizer: its principals are in IAM, not in Cognito');
    acknowledge(
      rest,
      'APIG1',
      'access logs need a role for the whole account; the authorizer logs every login',
    );
    acknowledge(rest, 'APIG6', 'execution logs need a role for the whole account, and would contain tokens');
    acknowledge(rest, 'APIG2', 'the functions validate requests and answer as Kubernetes does');
    acknowledge(rest, 'APIG3', 'a web ACL costs money every month, so the deployer decides (setting webAcl)');
    for (const queue of [queues.relayFailures, queues.scheduleFailures]) {
      acknowledge(queue, 'SQS3', 'it holds the failures of an event source that is not a queue');
    }
    const listing = 'IAM5[Resource::*]';
    acknowledge(functions.relay.role, listing, 'dynamodb:ListStreams supports no resource');
    if (canary !== undefined) {
      const ownQueue = `IAM5[Resource::arn:<AWS::Partition>:sqs:<AWS::Region>:<AWS::AccountId>:${queues.subscriptionPrefix}kube-system-canary-*]`;
      acknowledge(canary.canary.role, ownQueue, 'the queue of its Subscription is recreated if it is lost');
    }
    for (const { role } of [functions.dispatch, functions.reconcile]) {
      const queuesOfPrefix = `IAM5[Resource::arn:<AWS::Partition>:sqs:<AWS::Region>:<AWS::AccountId>:${queues.subscriptionPrefix}*]`;
      acknowledge(
        role,
        queuesOfPrefix,
        "queues of subscriptions are created and deleted, all with the stack's prefix",
      );
      const queuesAnywhere = 'IAM5[Resource::arn:<AWS::Partition>:sqs:<AWS::Region>:*:*]';
      acknowledge(
        role,
        queuesAnywhere,
        "users may have messages sent to queues of their own, which need the stack's tag",
      );
    }
  }
}

function acknowledge(scope: Construct, rule: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}
