import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';

/** The permissions that Lambda needs to poll a queue for a function, and that the function needs to settle messages. */
export function consume(queueArn: string): PolicyStatementProps {
  const actions = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'];
  return { sid: 'Consume', actions: actions.map((action) => `sqs:${action}`), resources: [queueArn] };
}

/** The permission to send to a queue. */
export function send(sid: string, queueArn: string): PolicyStatementProps {
  return { sid, actions: ['sqs:SendMessage'], resources: [queueArn] };
}
