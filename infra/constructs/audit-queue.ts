import { Stack, Token } from 'aws-cdk-lib';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export interface AuditQueueProps {
  readonly auditPolicy?: string | undefined;
  /** The ARN of a queue. */
  readonly auditQueue?: string | undefined;
}

/** A standard queue of SQS: those of a FIFO queue end in a dot and a word. */
const STANDARD_QUEUE = /^arn:aws[a-z-]*:sqs:([a-z0-9-]+):\d{12}:[\w-]{1,80}$/;

/**
 * The queue that is sent audit events, if any is.
 *
 * @throws {Error} it is none that can be sent to, or there is nothing to send
 */
export function auditQueueOf(
  scope: Construct,
  { auditPolicy, auditQueue }: AuditQueueProps,
): IQueue | undefined {
  if (auditQueue === undefined) return undefined;
  if (auditPolicy === undefined) throw new Error('auditQueue is of no use without auditPolicy');
  if (!Token.isUnresolved(auditQueue)) {
    const [, queueRegion] = STANDARD_QUEUE.exec(auditQueue) ?? [];
    if (queueRegion === undefined) throw new Error(`${auditQueue} is not the ARN of a standard queue of SQS`);
    const { region } = Stack.of(scope);
    if (!Token.isUnresolved(region) && region !== queueRegion) {
      throw new Error(`${auditQueue} is not in ${region}, where the stack is`);
    }
  }
  return Queue.fromQueueArn(scope, 'AuditQueue', auditQueue);
}
