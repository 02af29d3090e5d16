import { QUEUE_TAG, type Random } from '../../platform/index.ts';
import { accessPolicy } from '../queue-access.ts';
import type { Queues } from '../queues.ts';
import type { SubscriptionState } from '../subscription-state.ts';

/** SQS keeps a message 14 days at most, and takes 1 MiB. */
const RETENTION_SECONDS = String(14 * 24 * 3600);
const MESSAGE_BYTES = String(1024 * 1024);

export interface QueueMaker {
  readonly queues: Queues;
  /** What the names of all queues of this deployment begin with; they are tagged with it too. */
  readonly queuePrefix: string;
  /** What the ARNs of these queues begin with: all before their names. */
  readonly queueArns: string;
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
  readonly consumers?: readonly string[];
}

/** Creates a subscription's queue, or finds it where it was created already. */
export function createQueue(
  { queues, queuePrefix, queueArns }: QueueMaker,
  queueName: string,
  { uid, name, fifo, consumers = [] }: MadeFor,
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
      SqsManagedSseEnabled: 'true',
      Policy: accessPolicy(`${queueArns}${queueName}`, consumers),
      ...(fifo ? ordered : {}),
    },
    tags: {
      'winnow:subscription': `${name.namespace}/${name.name}`,
      'winnow:uid': uid,
      [QUEUE_TAG]: queuePrefix,
    },
  });
}
