import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Range } from '../world/chance.ts';
import type { Ended } from '../world/process.ts';
import type { Received, SimulatedQueue } from '../world/queue.ts';
import type { World } from '../world/world.ts';
import { keepReceiving } from './reader.ts';

const PICKED_UP_WITHIN: Range = [2, 60];

export type Invoke = (event: SQSEvent) => Promise<Ended<SQSBatchResponse>>;

/**
 * A queue's event source: hands out batches as they come. What an invocation handled is deleted; what it failed,
 * or died over, comes again when the queue shows it again.
 */
export function connectQueue(world: World, queue: SimulatedQueue, invoke: Invoke): void {
  const handle = async (messages: readonly Received[]) => {
    const ended = await invoke({ Records: messages.map(recordOf) });
    if (ended.how !== 'done') return;
    const failed = new Set(ended.result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { messageId } of messages) if (!failed.has(messageId)) queue.delete(messageId);
  };
  keepReceiving(world, { queue, within: PICKED_UP_WITHIN, handle: (messages) => void handle(messages) });
}

function recordOf({ body, messageId, group = '' }: Received): SQSRecord {
  const attributes = { MessageGroupId: group } as SQSRecord['attributes'];
  return { messageId, body, attributes } as SQSRecord;
}
