import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Receipts, TooEarlyError } from '../lib/coordination/index.ts';
import type { Logger } from '../lib/platform/index.ts';
import { retryPause } from './retry-pause.ts';

export interface BatchOptions<Message> {
  readonly logger: Logger;
  /** The end of the invocation's time: no message is begun after it. */
  readonly signal: AbortSignal;
  /** The queue that the batch is from. */
  readonly queueUrl: string;
  readonly receipts: Receipts;
  handle(message: Message, signal: AbortSignal): Promise<void>;
}

/**
 * Handles a batch: message groups side by side, the messages of one group in order. Answers those that failed,
 * so that only they come again; a failure fails the rest of its group, or they would overtake it. So does the
 * end of the time.
 *
 * A FIFO queue hands out nothing of a group while messages of it are out, and Lambda settles a batch as a whole. So
 * each group is given back as soon as it is through, whatever the others have still to do: what failed is shown
 * again after {@link retryPause}, or when it says itself, what was handled is deleted. Where that fails, Lambda and the queue's visibility
 * timeout do it later.
 */
export async function handleBatch<Message>(
  event: SQSEvent,
  options: BatchOptions<Message>,
): Promise<SQSBatchResponse> {
  const groups = Map.groupBy(event.Records, (record) => record.attributes.MessageGroupId ?? record.messageId);
  let atWork = groups.size;
  const failed = await Promise.all(
    [...groups.values()].map(async (records) => {
      const { handled, delay } = await handleInOrder(records, options);
      atWork -= 1;
      const [done, left] = [records.slice(0, handled), records.slice(handled)];
      if (left.length > 0) await giveBack(left, options, delay);
      // The last group need not be: Lambda deletes it now.
      if (done.length > 0 && atWork > 0) await forget(done, options);
      return left.map(({ messageId }) => ({ itemIdentifier: messageId }));
    }),
  );
  return { batchItemFailures: failed.flat() };
}

interface Handled {
  /** How many messages from the first on. */
  readonly handled: number;
  /** When the next one is to come again, in ms, where that says so itself. */
  readonly delay?: number;
}

async function handleInOrder<Message>(
  records: readonly SQSRecord[],
  { logger, signal, handle }: BatchOptions<Message>,
): Promise<Handled> {
  for (const [index, record] of records.entries()) {
    try {
      signal.throwIfAborted();
      await handle(JSON.parse(record.body), signal);
    } catch (error) {
      if (error instanceof TooEarlyError) return { handled: index, delay: error.delay };
      logger.error('a message failed', { messageId: record.messageId, body: record.body, error });
      return { handled: index };
    }
  }
  return { handled: records.length };
}

async function giveBack(
  records: readonly SQSRecord[],
  { logger, receipts, queueUrl }: BatchOptions<never>,
  asked: number | undefined,
) {
  const [first] = records;
  const delay = asked ?? retryPause(Number(first?.attributes.ApproximateReceiveCount ?? 1));
  try {
    await receipts.showAgain(queueUrl, records.map(receiptOf), delay);
  } catch (error) {
    logger.warn('failed messages are shown again when their visibility timeout is over', { error });
  }
}

async function forget(records: readonly SQSRecord[], { logger, receipts, queueUrl }: BatchOptions<never>) {
  try {
    await receipts.delete(queueUrl, records.map(receiptOf));
  } catch (error) {
    logger.warn('handled messages hold their group until the batch ends', { error });
  }
}

function receiptOf({ receiptHandle }: SQSRecord): string {
  return receiptHandle;
}
