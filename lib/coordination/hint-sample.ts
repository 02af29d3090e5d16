import type { Collection } from '../json/index.ts';
import type { Clock } from '../platform/index.ts';

/** Of a message group SQS takes about 300 calls a second; hints of other functions want some of them. */
const MOST_HINTS = 200;
/** Over so many ms at least a collection's rate is measured. */
const WINDOW = 1_000;

interface Measured {
  /** Where the measurement under way began: ms since the epoch, and a resourceVersion. */
  readonly since: number;
  readonly from: number;
  /** One in so many resourceVersions is hinted at, by the measurement before. */
  readonly every: number;
}

/**
 * Which writes a writer hints at where a collection has more than FIFO takes. All writers of it together are counted by
 * its resourceVersions, so each knows the rate of all. A hint says how far the journal reaches, so those between are not
 * missed; the last ones of a burst the relay hints at, for it hints at the newest of all that was written.
 */
export class HintSample {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #measured = new Map<Collection, Measured>();

  /** `most`: hints of one collection in a second. */
  constructor(clock: Clock, most = MOST_HINTS) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Whether the write at this resourceVersion is hinted at. */
  has(collection: Collection, rv: number): boolean {
    const now = this.#clock.now();
    const known = this.#measured.get(collection) ?? { since: now, from: rv, every: 1 };
    const took = now - known.since;
    const rate = ((rv - known.from) * 1_000) / took;
    const measured =
      took < WINDOW ? known : { since: now, from: rv, every: Math.max(1, Math.ceil(rate / this.#most)) };
    this.#measured.set(collection, measured);
    return rv % measured.every === 0;
  }
}
