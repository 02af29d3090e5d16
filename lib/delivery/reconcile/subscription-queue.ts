import type { Queues } from '../../coordination/index.ts';
import { QUEUE_TAG, type Random } from '../../platform/index.ts';
import { accessPolicy, type Receivers, type SubscriptionState } from '../subscription/index.ts';

/** SQS keeps a message 14 days at most, and takes 1 MiB. */
const RETENTION_SECONDS = String(14 * 24 * 3600);
/** The longer SQS keeps what a key gave it, the fewer requests to KMS are paid for. */
const KEY_REUSE_SECONDS = '3600';
const MESSAGE_BYTES = String(1024 * 1024);

export interface QueueMaker {
  readonly queues: Queues;
  /** What the names of all queues of this deployment begin with; they are tagged with it too. */
  readonly queuePrefix: string;
  /** What the ARNs of these queues begin with: all before their names. */
  readonly queueArns: string;
  /** ARN of the KMS key that they are encrypted with; SQS' own where it is absent. */
  readonly queueKey?: string | undefined;
}

/** A name for a subscription's queue that no other has. */
export function newQueueName(
  { queuePrefix, random }: Pick<QueueMaker, 'queuePrefix'> & { readonly random: Random },
  { name, fifo }: Pick<SubscriptionState, 'name' | 'fifo'>,
): string {
  const words = `${queuePrefix}${name.namespace}-${name.name}`.replaceAll('.', '-').slice(0, 60);
  return `${words}-${random.suffix(8)}${fifo ? '.fifo' : ''}`;
}

export interface MadeFor extends Pick<SubscriptionState, 'uid' | 'name' | 'fifo'> {
  readonly receivers?: Receivers;
}

/** Creates a subscription's queue, or finds it where it was created already. */
export function createQueue(
  { queues, queuePrefix, queueArns, queueKey }: QueueMaker,
  queueName: string,
  { uid, name, fifo, receivers = { arns: [] } }: MadeFor,
): Promise<string> {
  const ordered = {
    FifoQueue: 'true',
    FifoThroughputLimit: 'perMessageGroupId',
    DeduplicationScope: 'messageGroup',
  };
  return queues.create(queueName, {
    attributes: {
      MessageRetentionPeriod: RETENTION_SECONDS,
      MaximumMessageSize: MESSAGE_BYTES,
      ...(queueKey === undefined
        ? { SqsManagedSseEnabled: 'true' }
        : { KmsMasterKeyId: queueKey, KmsDataKeyReusePeriodSeconds: KEY_REUSE_SECONDS }),
      Policy: accessPolicy(`${queueArns}${queueName}`, receivers),
      ...(fifo ? ordered : {}),
    },
    tags: {
      'winnow:subscription': `${name.namespace}/${name.name}`,
      'winnow:uid': uid,
      [QUEUE_TAG]: queuePrefix,
    },
  });
}
