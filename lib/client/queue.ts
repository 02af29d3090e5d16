import type { Delivery } from './delivery.ts';

/** A message with the receipt that deletes it. */
export interface Received extends Delivery {
  readonly receipt: string;
}

/** The two operations of SQS that a long poll needs. */
export interface Queue {
  /**
   * Receives up to ten messages; none if none arrives within 20 s.
   *
   * @throws {QueueGoneError} the queue does not exist
   */
  receive(url: string, signal: AbortSignal): Promise<readonly Received[]>;
  /** Deletes up to ten messages. SQS delivers the others again. */
  delete(url: string, messages: readonly Received[]): Promise<void>;
}

/** The queue does not exist, or does not exist any more. The Subscription has another queue. */
export class QueueGoneError extends Error {
  override name = 'QueueGoneError';
}

/**
 * Whether a queue is FIFO, by its URL, ARN or name. A FIFO queue delivers nothing behind a message that is in flight.
 */
export function isFifo(queue: string): boolean {
  return queue.endsWith('.fifo');
}

/** Returns the name at the end of a queue's URL or ARN. */
export function queueName(urlOrArn: string): string {
  return urlOrArn.slice(Math.max(urlOrArn.lastIndexOf('/'), urlOrArn.lastIndexOf(':')) + 1);
}
