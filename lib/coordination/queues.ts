/** The SQS operations that dispatch and reconcile need. */
export interface Queues {
  /** Creates a queue. If one of the same name exists, it gets the policy in `options`. Returns the URL. */
  create(name: string, options: QueueOptions): Promise<string>;
  /** Replaces a queue's policy. */
  permit(url: string, policy: string): Promise<void>;
  /** Deletes a queue. It does nothing if the queue does not exist. */
  delete(url: string): Promise<void>;
  /** Returns the queue's attributes, or undefined if the queue does not exist. */
  attributes(url: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** Returns the queue's tags, or undefined if the queue does not exist. Only the queue's own account may read them. */
  tags(url: string): Promise<Readonly<Record<string, string>> | undefined>;
  /**
   * Sends at most 10 messages with a total of at most 1 MiB. Returns the indexes of messages that SQS did not accept.
   *
   * @throws {QueueGoneError} the queue does not exist.
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
  /** The message group and the deduplication id, for FIFO queues only. */
  readonly group?: string;
  readonly deduplication?: string;
}

/** The queue does not exist, or does not exist any more. */
export class QueueGoneError extends Error {
  override name = 'QueueGoneError';
}

/** A queue did not answer within the timeout. */
export class QueueSlowError extends Error {
  override name = 'QueueSlowError';
}
