/** A message was received too early. It has to become visible again at its time. */
export class TooEarlyError extends Error {
  override name = 'TooEarlyError';
  /** The time left, in ms. */
  readonly delay: number;

  constructor(delay: number) {
    super(`it is too early by ${delay} ms`);
    this.delay = delay;
  }
}
