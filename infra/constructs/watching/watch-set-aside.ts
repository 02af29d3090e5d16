import { ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import type { WinnowFunction } from '../functions/index.ts';

/**
 * Lets reconcile count the messages in queues of given-up messages, so that no alarm on each queue is needed. The
 * policies of the queues allow it, because the policy of reconcile's role has no room: IAM limits it to 10 KB.
 */
export function watchSetAside(reconcile: WinnowFunction, queues: readonly (IQueue | undefined)[]): void {
  const watched = queues.filter((queue) => queue !== undefined);
  reconcile.function.addEnvironment(
    ENVIRONMENT.setAsideQueueUrls,
    watched.map(({ queueUrl }) => queueUrl).join(','),
  );
  for (const queue of watched) {
    queue.addToResourcePolicy(
      new PolicyStatement({
        sid: 'CountSetAside',
        principals: [new ArnPrincipal(reconcile.role.roleArn)],
        actions: ['sqs:GetQueueAttributes'],
        resources: [queue.queueArn],
      }),
    );
  }
}
