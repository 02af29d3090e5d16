/** A message as it came from a queue, from a long poll or in a Lambda event. */
export interface Delivery {
  /** SQS' id of the message: a message that is handed out again has the same. */
  readonly id: string;
  readonly body: string;
  /** The message attributes that are texts. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The name of the queue; empty where it is not known. */
  readonly queue: string;
}
