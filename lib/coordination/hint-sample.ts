import type { Collection } from '../json/index.ts';
import type { Clock } from '../platform/index.ts';

/**
 * The most hints of one collection in a second. SQS accepts about 300 calls a second for one message group, and hints
 * of other functions need some of them.
 */
const MOST_HINTS = 200;
/** The least time over which a collection's rate is measured, in ms. */
const WINDOW = 1_000;

interface Measured {
  /** When the current measurement began: ms since the epoch, and a resourceVersion. */
  readonly since: number;
  readonly from: number;
  /** One in this many resourceVersions gets a hint, according to the previous measurement. */
  readonly every: number;
}

/**
 * Selects the writes that get a hint, if a collection has more writes than a FIFO queue accepts hints. The collection's
 * resourceVersions count the writes of all writers, so each writer knows the total rate.
 *
 * A hint says how far the journal reaches, so it covers the writes before it. The relay sends a hint for the last write
 * of a burst, because it uses the newest of all writes.
 */
export class HintSample {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #measured = new Map<Collection, Measured>();

  /** @param most hints of one collection in a second */
  constructor(clock: Clock, most = MOST_HINTS) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Whether the write at this resourceVersion gets a hint. */
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
