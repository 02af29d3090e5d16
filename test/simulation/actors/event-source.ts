import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Range } from '../world/chance.ts';
import { EPOCH } from '../world/clock.ts';
import type { Ended } from '../world/process.ts';
import type { Received } from '../world/queue.ts';
import type { Handout, World } from '../world/world.ts';
import { keepReceiving } from './reader.ts';

const PICKED_UP_WITHIN: Range = [2, 60];

export type Invoke = (event: SQSEvent) => Promise<Ended<SQSBatchResponse>>;

/**
 * Connects a queue's event source, which delivers batches as they arrive. It deletes the messages that an invocation
 * handled. Messages that failed, or whose invocation died, come again when the queue shows them again.
 */
export function connectQueue(world: World, url: string, invoke: Invoke): void {
  const queue = world.queues.find(url);
  if (queue === undefined) throw new Error(`there is no queue ${url}`);
  const handle = async (messages: readonly Received[]) => {
    const handouts = firstOfGroups(messages).map(({ messageId, receives, body }) => {
      const handout: Handout = { queue: url, messageId, receives, at: world.scheduler.now, ...dueOf(body) };
      world.handouts.push(handout);
      return handout;
    });
    const ended = await invoke({ Records: messages.map(recordOf) });
    if (ended.how !== 'done') return;
    const failed = new Set(ended.result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const handout of handouts) if (failed.has(handout.messageId)) handout.failed = world.scheduler.now;
    for (const { messageId } of messages) if (!failed.has(messageId)) queue.delete(messageId);
  };
  keepReceiving(world, { queue, within: PICKED_UP_WITHIN, handle: (messages) => void handle(messages) });
}

/** The first message of each group. The queue does not deliver the rest of the group before it. */
function firstOfGroups(messages: readonly Received[]): Received[] {
  const groups = new Set<string | undefined>();
  return messages.filter(({ group }) => !groups.has(group) && groups.add(group));
}

function dueOf(body: string): Pick<Handout, 'due'> {
  const { at } = JSON.parse(body);
  return at === undefined ? {} : { due: Number(at) - EPOCH };
}

function recordOf({ body, messageId, receipt, receives, group = '' }: Received): SQSRecord {
  const attributes = { MessageGroupId: group, ApproximateReceiveCount: String(receives) };
  return { messageId, receiptHandle: receipt, body, attributes } as SQSRecord;
}
