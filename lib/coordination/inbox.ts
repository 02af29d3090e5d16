/** A Subscription's queue, from the consumer's side. */
export interface Inbox {
  /**
   * Receives the messages that are there now, at most 10. Messages that are not deleted are delivered again.
   *
   * @throws {Error} the queue does not exist, or it cannot be read.
   */
  receive(queueUrl: string, signal: AbortSignal): Promise<readonly Received[]>;
  delete(queueUrl: string, received: readonly Received[]): Promise<void>;
}

export interface Received {
  readonly body: string;
  /** When the queue accepted it, in ms since the epoch. */
  readonly sentAt: number;
  readonly receipt: string;
}
