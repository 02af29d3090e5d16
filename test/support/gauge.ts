import { setImmediate } from 'node:timers/promises';

/** Counts concurrent calls. */
export class Gauge {
  /** The highest number of concurrent calls. */
  most = 0;
  #now = 0;

  /** Makes a call after this many turns of the event loop, in which other calls may overtake it. */
  async slowly<Answer>(turns: number, call: () => Answer | Promise<Answer>): Promise<Answer> {
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    try {
      for (let turn = turns; turn > 0; turn -= 1) await setImmediate();
      return await call();
    } finally {
      this.#now -= 1;
    }
  }
}
