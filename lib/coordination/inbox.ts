/** The queue of a Subscription, from the consumer's side. */
export interface Inbox {
  /**
   * The messages that are there now, 10 at most. They come again where nobody deletes them.
   *
   * @throws {Error} there is no such queue, or it cannot be read.
   */
  receive(queueUrl: string, signal: AbortSignal): Promise<readonly Received[]>;
  delete(queueUrl: string, received: readonly Received[]): Promise<void>;
}

export interface Received {
  readonly body: string;
  /** When the queue took it, in ms since the epoch. */
  readonly sentAt: number;
  readonly receipt: string;
}
