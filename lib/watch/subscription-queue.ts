import { QUEUE_TAG } from '../platform/index.ts';
import type { Queues } from './queues.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** SQS keeps a message 14 days at most, and takes 1 MiB. */
const RETENTION_SECONDS = String(14 * 24 * 3600);
const MESSAGE_BYTES = String(1024 * 1024);

export interface QueueMaker {
  readonly queues: Queues;
  /** What the names of all queues of this deployment begin with; they are tagged with it too. */
  readonly queuePrefix: string;
}

/** Creates a subscription's queue, or finds it where it was created already. */
export function createQueue(
  { queues, queuePrefix }: QueueMaker,
  queueName: string,
  { uid, name, fifo }: Pick<SubscriptionState, 'uid' | 'name' | 'fifo'>,
): Promise<string> {
  const ordered = {
    ...{ FifoQueue: 'true', FifoThroughputLimit: 'perMessageGroupId', DeduplicationScope: 'messageGroup' },
  };
  return queues.create(queueName, {
    attributes: {
      MessageRetentionPeriod: RETENTION_SECONDS,
      MaximumMessageSize: MESSAGE_BYTES,
      SqsManagedSseEnabled: 'true',
      ...(fifo ? ordered : {}),
    },
    tags: {
      'winnow:subscription': `${name.namespace}/${name.name}`,
      'winnow:uid': uid,
      [QUEUE_TAG]: queuePrefix,
    },
  });
}
