/** A message was received too early. It must become visible again after `delay`. */
export class TooEarlyError extends Error {
  override name = 'TooEarlyError';
  /** The time left, in ms. */
  readonly delay: number;

  constructor(delay: number) {
    super(`the message came ${delay} ms too early`);
    this.delay = delay;
  }
}
