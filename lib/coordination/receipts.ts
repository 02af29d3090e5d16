/** Operations on received messages, by their receipts. At most 10 at a time. */
export interface Receipts {
  /** Deletes the messages. SQS may then deliver the next messages of their group. */
  delete(url: string, receipts: readonly string[]): Promise<void>;
  /**
   * Makes messages visible again after `delay` ms, rounded up to whole seconds, instead of at the end of their
   * visibility timeout.
   */
  showAgain(url: string, receipts: readonly string[], delay: number): Promise<void>;
}
