/** A message from a queue, received by a long poll or in a Lambda event. */
export interface Delivery {
  /** The message id of SQS. It stays the same when SQS delivers the message again. */
  readonly id: string;
  readonly body: string;
  /** The message attributes of type string. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The name of the queue; empty if unknown. */
  readonly queue: string;
}
