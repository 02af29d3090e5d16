/** A message came before its time: it is to be shown again then. */
export class TooEarlyError extends Error {
  override name = 'TooEarlyError';
  /** How long until then, in ms. */
  readonly delay: number;

  constructor(delay: number) {
    super(`it is too early by ${delay} ms`);
    this.delay = delay;
  }
}
