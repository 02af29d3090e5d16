import type { Delivery } from './delivery.ts';

/** A message and what deletes it. */
export interface Received extends Delivery {
  readonly receipt: string;
}

/** The two operations of SQS that a long poll needs. */
export interface Queue {
  /**
   * Up to ten messages; none after 20 s without one.
   *
   * @throws {QueueGoneError} there is no such queue.
   */
  receive(url: string, signal: AbortSignal): Promise<readonly Received[]>;
  /** Takes messages out of the queue, ten at most. Those that stay come again. */
  delete(url: string, messages: readonly Received[]): Promise<void>;
}

/** There is no such queue, or none any more: the Subscription has another one. */
export class QueueGoneError extends Error {
  override name = 'QueueGoneError';
}

/** A FIFO queue hands out nothing behind a message that is out, and its URL and ARN say what it is. */
export function isFifo(queue: string): boolean {
  return queue.endsWith('.fifo');
}

/** The name at the end of a queue's URL or ARN. */
export function queueName(urlOrArn: string): string {
  return urlOrArn.slice(Math.max(urlOrArn.lastIndexOf('/'), urlOrArn.lastIndexOf(':')) + 1);
}
