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

/** The pause between polls is the time since the last change that was seen, divided by this number. */
const PART = 16;

/**
 * Polls a collection's head, once for all its open watches. It polls soon after a change, as the next one is likely to
 * come soon, and more and more seldom in silence. So the delay of a change is a small part of the silence before it.
 * The number of polls between two changes grows with the logarithm of the time between them, up to the longest pause.
 */
export class HeadPoll {
  readonly #options: HeadPollOptions;
  readonly #collection: Collection;
  #next: Promise<number> | undefined;
  /** Ends the poll under way. */
  #unwatched = new AbortController();
  #waiting = 0;
  /** The last head seen; 0 before the first. */
  #head = 0;
  /** The time at which a poll saw the head change, in ms since the epoch. */
  #moved = 0;

  constructor(options: HeadPollOptions, collection: Collection) {
    this.#options = options;
    this.#collection = collection;
  }

  /**
   * Records a head that a caller read. The caller had seen all changes up to `known`. A head above both `known` and
   * the last head means that there are new changes.
   */
  saw(head: number, known = head): void {
    if (head > Math.max(known, this.#head)) this.#moved = this.#options.clock.now();
    this.#head = head;
  }

  /** Returns the head at the next poll; 0 if the poll failed or `left` resolved first. */
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
      // No watch is left to serve, and the store may already be closed.
      if (signal.aborted) return 0;
      const head = await store.head(this.#collection);
      this.saw(head, this.#head);
      return head;
    } catch (error) {
      logger.warn('a read of the head failed', { collection: this.#collection, error });
      return 0;
    } finally {
      this.#next = undefined;
    }
  }
}
