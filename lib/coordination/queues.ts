/** Queues as dispatch and reconcile see them: the few operations of SQS that they need. */
export interface Queues {
  /** Creates a queue, or finds the one of the same name, whose policy is then the one that is asked for. Answers its URL. */
  create(name: string, options: QueueOptions): Promise<string>;
  /** Gives a queue another policy. */
  permit(url: string, policy: string): Promise<void>;
  /** Deletes a queue; one that does not exist is fine. */
  delete(url: string): Promise<void>;
  /** The queue's attributes, or undefined when there is no such queue. */
  attributes(url: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** The queue's tags, or undefined when there is no such queue. Only the account of the queue may see them. */
  tags(url: string): Promise<Readonly<Record<string, string>> | undefined>;
  /**
   * Sends at most 10 messages of together at most 1 MiB. Answers the indexes of those not accepted.
   *
   * @throws {QueueGoneError} there is no such queue.
   */
  sendBatch(url: string, messages: readonly QueueMessage[], signal?: AbortSignal): Promise<readonly number[]>;
}

export interface QueueOptions {
  /** Attributes as SQS names them, e.g. `MessageRetentionPeriod`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

export interface QueueMessage {
  readonly body: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** FIFO queues only: the message group and the deduplication id. */
  readonly group?: string;
  readonly deduplication?: string;
}

/** There is no such queue (any more). */
export class QueueGoneError extends Error {
  override name = 'QueueGoneError';
}

/** A queue did not answer for so long that nobody waits for it. */
export class QueueSlowError extends Error {
  override name = 'QueueSlowError';
}
