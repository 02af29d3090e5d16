import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Receipts, TooEarlyError } from '../lib/coordination/index.ts';
import type { Logger } from '../lib/platform/index.ts';

/** The pause before the second retry of a message, in ms. */
const FIRST_PAUSE = 5_000;
/** In ms. */
const LONGEST_PAUSE = 60_000;

export interface BatchOptions<Message> {
  readonly logger: Logger;
  /** Aborts when the invocation's time ends. No message is started after that. */
  readonly signal: AbortSignal;
  /** The queue of the batch. */
  readonly queueUrl: string;
  readonly receipts: Receipts;
  handle(message: Message, signal: AbortSignal): Promise<void>;
}

/**
 * Handles a batch: message groups concurrently, the messages of one group in order. Returns the failed messages, so
 * that only they are received again. A failure, or the end of the time, also fails the rest of its group, which would
 * overtake it otherwise.
 *
 * A FIFO queue delivers no further messages of a group while some of them are in flight, and Lambda settles a batch
 * as a whole. So this function settles each group as soon as it is done. It makes failed messages visible after
 * {@link retryPause}, or after the delay in the error, and deletes handled ones. If that fails, Lambda and the
 * queue's visibility timeout do it later.
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
      // Lambda itself deletes the last group now.
      if (done.length > 0 && atWork > 0) await forget(done, options);
      return left.map(({ messageId }) => ({ itemIdentifier: messageId }));
    }),
  );
  return { batchItemFailures: failed.flat() };
}

interface Handled {
  /** The number of handled messages, counted from the first. */
  readonly handled: number;
  /** The delay until the next attempt in ms, if the error sets one. */
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
    logger.warn('failed messages become visible again only after their visibility timeout', { error });
  }
}

async function forget(records: readonly SQSRecord[], { logger, receipts, queueUrl }: BatchOptions<never>) {
  try {
    await receipts.delete(queueUrl, records.map(receiptOf));
  } catch (error) {
    logger.warn('handled messages block their group until the batch ends', { error });
  }
}

function receiptOf({ receiptHandle }: SQSRecord): string {
  return receiptHandle;
}

/**
 * The pause before the next attempt of a failed message, in ms, by how often it was received. The first pause is 0,
 * because most failures are brief; then 5, 10, 20, 40 and 60 seconds. So a message group never waits longer than
 * after the crash of a function. The ten attempts before the dead-letter queue take more than five minutes.
 */
function retryPause(received: number): number {
  return received <= 1 ? 0 : Math.min(FIRST_PAUSE * 2 ** (received - 2), LONGEST_PAUSE);
}
