import { setImmediate } from 'node:timers/promises';

/** Counts calls that are under way side by side. */
export class Gauge {
  /** How many of them there were at most. */
  most = 0;
  #now = 0;

  /** Makes a call after so many turns of the event loop, in which others may overtake it. */
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
