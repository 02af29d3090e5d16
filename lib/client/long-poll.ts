import { isFifo, type Queue, type Received } from './queue.ts';

export interface LongPollOptions {
  readonly queue: Queue;
  /**
   * Returns the queue's URL. Called at the beginning and after each failure, because the URL or the port may have
   * changed.
   */
  readonly queueUrl: () => Promise<string>;
  /** Handles a message. If it rejects, the message returns to the queue. */
  readonly take: (message: Received) => Promise<void>;
  /** Called after a batch is handled and before it is deleted. */
  readonly settle: (messages: readonly Received[]) => Promise<void>;
  /** Receives each error. If it rejects, the poll ends with that error. */
  readonly failed: (error: unknown) => Promise<void>;
  /** Waits, and ends early if the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The pause after a failure in ms: 1 s, 2 s, 4 s, up to 30 s. */
const pauseAfter = (failures: number) => Math.min(500 * 2 ** failures, 30_000);

/** Receives messages until the signal aborts, and then finishes the message at hand. */
export async function longPoll(options: LongPollOptions, signal: AbortSignal): Promise<void> {
  const { queue, queueUrl, take, settle, failed, pause } = options;
  let url: string | undefined;
  for (let failures = 0; !signal.aborted; ) {
    try {
      url ??= await queueUrl();
      const messages = await queue.receive(url, signal);
      if (messages.length > 0) await takeAll(url, messages);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      url = undefined;
      await failed(error);
      failures += 1;
      await pause(pauseAfter(failures), signal);
    }
  }

  /**
   * Handles a batch. In a FIFO queue, no message may overtake a failed one. Handled messages are deleted also if a
   * later one fails.
   */
  async function takeAll(from: string, messages: readonly Received[]): Promise<void> {
    const taken: Received[] = [];
    const errors: unknown[] = [];
    for (const message of messages) {
      // The remaining messages are delivered again.
      if (signal.aborted || (errors.length > 0 && isFifo(from))) break;
      await take(message).then(
        () => taken.push(message),
        (error) => errors.push(error),
      );
    }
    if (taken.length > 0) {
      await settle(taken);
      await queue.delete(from, taken);
    }
    if (errors.length > 0) throw errors[0];
  }
}
