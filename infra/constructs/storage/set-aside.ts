import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/** The destination of events that a function failed to handle after all retries. */
export function setAside({ queueArn }: IQueue) {
  return { bind: () => ({ destination: queueArn }) };
}
