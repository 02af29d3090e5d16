/**
 * The most bytes of messages that a process sends at one time. A message in flight is held as text, as bytes and by its
 * socket.
 */
const MOST = 16 * 2 ** 20;

/** Admits work in order of arrival while its memory fits within the limit. */
export class SendGate {
  readonly #most: number;
  readonly #waiting: { readonly bytes: number; begin(): void }[] = [];
  #held = 0;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** Runs work that holds this many bytes. Work above the limit runs alone. */
  async within<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (!this.#fits(bytes) || this.#waiting.length > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ bytes, begin: resolve });
      await promise;
    } else {
      this.#held += bytes;
    }
    try {
      return await work();
    } finally {
      this.#held -= bytes;
      this.#beginWaiting();
    }
  }

  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#most;
  }

  #beginWaiting(): void {
    for (let [next] = this.#waiting; next !== undefined && this.#fits(next.bytes); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#held += next.bytes;
      next.begin();
    }
  }
}
