import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';

/** What Lambda needs to poll a queue on a function's behalf, and the function to settle what it was given. */
export function consume(queueArn: string): PolicyStatementProps {
  const actions = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'];
  return { sid: 'Consume', actions: actions.map((action) => `sqs:${action}`), resources: [queueArn] };
}

export function send(sid: string, queueArn: string): PolicyStatementProps {
  return { sid, actions: ['sqs:SendMessage'], resources: [queueArn] };
}
