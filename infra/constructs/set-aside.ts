import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/** Where Lambda sends what a function failed for good. */
export function setAside({ queueArn }: IQueue) {
  return { bind: () => ({ destination: queueArn }) };
}
