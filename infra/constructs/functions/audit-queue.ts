import { Stack, Token } from 'aws-cdk-lib';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export interface AuditQueueProps {
  readonly auditPolicy?: string | undefined;
  /** The ARN of a queue. */
  readonly auditQueue?: string | undefined;
}

/** The ARN of a standard queue. The ARN of a FIFO queue ends with `.fifo`. */
const STANDARD_QUEUE = /^arn:aws[a-z-]*:sqs:([a-z0-9-]+):\d{12}:[\w-]{1,80}$/;

/**
 * The queue for audit events; undefined if the settings name no queue.
 *
 * @throws {Error} the ARN is not that of a standard queue in the stack's region, or there is no audit policy
 */
export function auditQueueOf(
  scope: Construct,
  { auditPolicy, auditQueue }: AuditQueueProps,
): IQueue | undefined {
  if (auditQueue === undefined) return undefined;
  if (auditPolicy === undefined) {
    throw new Error('auditQueue needs auditPolicy: without it Winnow writes no audit events');
  }
  if (!Token.isUnresolved(auditQueue)) {
    const [, queueRegion] = STANDARD_QUEUE.exec(auditQueue) ?? [];
    if (queueRegion === undefined) {
      throw new Error(`auditQueue is ${auditQueue}, which is not the ARN of a standard SQS queue`);
    }
    const { region } = Stack.of(scope);
    if (!Token.isUnresolved(region) && region !== queueRegion) {
      throw new Error(`auditQueue is ${auditQueue}, which is not in ${region}, the region of the stack`);
    }
  }
  return Queue.fromQueueArn(scope, 'AuditQueue', auditQueue);
}
