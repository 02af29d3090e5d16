import { isFifo, type Queue, type Received } from './queue.ts';

export interface LongPollOptions {
  readonly queue: Queue;
  /** Asked at the beginning and after each failure: the queue may have another URL, or another port, by then. */
  readonly queueUrl: () => Promise<string>;
  /** Takes a message; one that it rejects goes back to the queue. */
  readonly take: (message: Received) => Promise<void>;
  /** After a batch and before it is deleted. */
  readonly settle: (messages: readonly Received[]) => Promise<void>;
  /** Is told what went wrong; a rejection ends the poll with it. */
  readonly failed: (error: unknown) => Promise<void>;
  /** Waits, or less where the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** After a failure: 1 s, 2 s, 4 s … half a minute. */
const pauseAfter = (failures: number) => Math.min(500 * 2 ** failures, 30_000);

/** Receives until the signal is aborted; then it ends what it has at hand. */
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

  /** In a FIFO queue nothing may overtake a message that failed. What was taken is deleted all the same. */
  async function takeAll(from: string, messages: readonly Received[]): Promise<void> {
    const taken: Received[] = [];
    const errors: unknown[] = [];
    for (const message of messages) {
      // What is left at the end comes again.
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
