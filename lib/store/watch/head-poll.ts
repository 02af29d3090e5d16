import type { Collection } from '../../json/index.ts';
import { type Clock, type Logger, type Random, TIMING } from '../../platform/index.ts';
import type { Store } from '../contract.ts';
import { jitteredSleep } from '../jittered-sleep.ts';

export interface HeadPollOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Looks follow each other after this part of the time since the last change was seen. */
const PART = 16;

/**
 * Asks for a collection's head again and again, however many watches are open: soon after a change, as the next one is
 * likely to be near, and ever more seldom in silence. So what a change waits is a small part of how long there was none,
 * and the looks between two changes grow with the logarithm of the time between them, up to those of silence.
 */
export class HeadPoll {
  readonly #options: HeadPollOptions;
  readonly #collection: Collection;
  #next: Promise<number> | undefined;
  /** Ends the look under way. */
  #unwatched = new AbortController();
  #waiting = 0;
  /** The last head seen; 0 before the first. */
  #head = 0;
  /** When it was seen to move, in ms since the epoch. */
  #moved = 0;

  constructor(options: HeadPollOptions, collection: Collection) {
    this.#options = options;
    this.#collection = collection;
  }

  /** Notes a head that somebody read, who knew what had happened up to `known`: what is above both is news. */
  saw(head: number, known = head): void {
    if (head > Math.max(known, this.#head)) this.#moved = this.#options.clock.now();
    this.#head = head;
  }

  /** The head at the next look; 0 when nothing is known because the look failed or the watch was left. */
  async head(left: Promise<void>): Promise<number> {
    this.#next ??= this.#look();
    this.#waiting += 1;
    try {
      return (await Promise.race([this.#next, left])) ?? 0;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#unwatched.abort();
    }
  }

  async #look(): Promise<number> {
    const { clock, random, store, logger } = this.#options;
    this.#unwatched = new AbortController();
    const { signal } = this.#unwatched;
    const pause = Math.max(TIMING.watchPollBusy, (clock.now() - this.#moved) / PART);
    try {
      await jitteredSleep(clock, random.fraction(), Math.min(pause, TIMING.watchPoll), signal);
      // Nobody is left to tell, and what is asked may be gone as well.
      if (signal.aborted) return 0;
      const head = await store.head(this.#collection);
      this.saw(head, this.#head);
      return head;
    } catch (error) {
      logger.warn('a look at the head failed', { collection: this.#collection, error });
      return 0;
    } finally {
      this.#next = undefined;
    }
  }
}
