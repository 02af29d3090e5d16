import { QueueGoneError, type QueueMessage, QueueSlowError, type Queues } from './queues.ts';

/** The limits of one batch: SQS accepts 10 messages and 1 MiB, which includes more than the body. */
export const MOST_MESSAGES = 10;
const MOST_BYTES = 1_000_000;

export interface Sent {
  /** The number of messages from the first one on that were accepted without a gap; all of them if nothing failed. */
  readonly accepted: number;
  readonly failure?: SendFailure;
  readonly message?: string;
}

/**
 * Why sending failed.
 *
 * - `gone`: the queue does not exist.
 * - `refused`: the queue did not accept a message.
 * - `slow`: the queue did not answer while others did.
 * - `late`: the time to send was over; the queue did not cause that.
 */
export type SendFailure = 'gone' | 'refused' | 'slow' | 'late';

/**
 * Sends messages to one queue, in order, and stops at the first that is not accepted. Later messages of the same batch
 * may have been accepted, and have to be sent again.
 */
export async function sendInOrder(
  queues: Pick<Queues, 'sendBatch'>,
  url: string,
  messages: readonly QueueMessage[],
  signal?: AbortSignal,
): Promise<Sent> {
  let accepted = 0;
  try {
    for (const batch of batches(messages)) {
      if (signal?.aborted) return { accepted, failure: 'late' };
      const failed = await queues.sendBatch(url, batch, signal);
      if (failed.length > 0) {
        return {
          accepted: accepted + Math.min(...failed),
          failure: 'refused',
          message: 'SQS did not accept a message',
        };
      }
      accepted += batch.length;
    }
    return { accepted };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof QueueGoneError) return { accepted, failure: 'gone', message };
    if (error instanceof QueueSlowError) return { accepted, failure: 'slow', message };
    return signal?.aborted ? { accepted, failure: 'late' } : { accepted, failure: 'refused', message };
  }
}

/** Sends all messages or throws. Use it for the internal queues, where a failure fails the whole invocation. */
export async function sendAll(
  queues: Queues,
  url: string,
  messages: readonly QueueMessage[],
  signal?: AbortSignal,
): Promise<void> {
  const sent = await sendInOrder(queues, url, messages, signal);
  if (sent.failure !== undefined) {
    throw new Error(`sending to ${url} failed: ${sent.message ?? sent.failure}`);
  }
}

function* batches(messages: readonly QueueMessage[]): Generator<QueueMessage[]> {
  let batch: QueueMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = bytesOf(message);
    if (batch.length === MOST_MESSAGES || (batch.length > 0 && bytes + size > MOST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** The most bytes that these messages take at a time. One batch of them is in flight at a time. */
export function bytesAtOnce(messages: readonly QueueMessage[]): number {
  let bytes = 0;
  for (const message of messages) {
    bytes += bytesOf(message);
    if (bytes >= MOST_BYTES) return MOST_BYTES;
  }
  return bytes;
}

function bytesOf({ body, attributes = {} }: QueueMessage): number {
  const named = Object.entries(attributes).map(
    ([name, value]) => name.length + value.length + 'String'.length,
  );
  return named.reduce((sum, size) => sum + size, Buffer.byteLength(body));
}
