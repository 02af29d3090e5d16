import type { Queues } from '../../coordination/index.ts';
import { QUEUE_TAG, type Random } from '../../platform/index.ts';
import { accessPolicy, type Receivers, type SubscriptionState } from '../subscription/index.ts';

/** SQS keeps a message for at most 14 days, and accepts at most 1 MiB. */
const RETENTION_SECONDS = String(14 * 24 * 3600);
/** The longer SQS reuses a data key, the fewer KMS requests are charged. */
const KEY_REUSE_SECONDS = '3600';
const MESSAGE_BYTES = String(1024 * 1024);

export interface QueueMaker {
  readonly queues: Queues;
  /** The prefix of the names of all queues of this deployment. It is also the value of a tag on them. */
  readonly queuePrefix: string;
  /** The prefix of the ARNs of these queues, up to the name. */
  readonly queueArns: string;
  /** The ARN of the KMS key that encrypts the queues; absent: SQS encrypts with its own key. */
  readonly queueKey?: string | undefined;
}

/** A unique name for a subscription's queue. */
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

/** Creates a subscription's queue, or returns the existing one. */
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
