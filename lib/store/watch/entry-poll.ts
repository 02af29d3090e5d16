import type { Collection } from '../../json/index.ts';
import { type Clock, type Logger, type Random, TIMING } from '../../platform/index.ts';
import type { Store } from '../contract.ts';
import { jitteredSleep } from '../jittered-sleep.ts';
import type { Row, TransactItem } from '../table.ts';

export interface EntryPollOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The pause between reads is the time since the last change that was seen, divided by this number. */
const PART = 16;
/** How long a collection has not changed when it counts as quiet, and the longest pause before that, in ms. */
export const QUIET = 600_000;
export const POLL = 150;
/** The longest time between two reads of the head, in ms: without changes, and right after a change. */
export const HEAD = { silent: 5_000, busy: 1_000 } as const;
/** The most entries that one read asks for. */
const MOST = 100;

/**
 * Polls a collection's journal for its next entry, once for all open watches of the collection. It only tells watches
 * how far the journal is allotted: each watch reads the entries itself, and waits for those that are not decided.
 *
 * - It reads soon after a change, as the next one is likely to come soon, and more and more seldom in silence.
 * - If a read finds all entries that it asked for, the next read asks for twice as many, at once.
 * - A gap hides the entries behind it. So from time to time a poll reads the head instead, which is consistent.
 */
export class EntryPoll {
  readonly #options: EntryPollOptions;
  readonly #collection: Collection;
  #next: Promise<void> | undefined;
  /** Ends the pause before the next read. */
  #pause = new AbortController();
  /** Whether the next read follows without a pause. */
  #isDue = false;
  #waiting = 0;
  /** The last resourceVersion that is known to be allotted; 0 before the first. */
  #known = 0;
  /** The number of entries that the next read asks for. */
  #most = 1;
  /** The row that this process has just committed. */
  #committed: Row | undefined;
  /** The time at which a poll saw a change, in ms since the epoch. */
  #moved = 0;
  /** The time of the last read of the head. */
  #headRead = 0;

  constructor(options: EntryPollOptions, collection: Collection) {
    this.#options = options;
    this.#collection = collection;
  }

  /**
   * Records a head that a caller has just read. The caller had seen all changes up to `seen`. A head above both `seen`
   * and the last known resourceVersion means that there are new changes.
   */
  sawHead(head: number, seen = head): void {
    this.#headRead = this.#options.clock.now();
    this.#saw(head, seen);
  }

  /** Ends the pause, because this process has committed an entry. If it is the next one, its row is not read again. */
  wake(journal: TransactItem | undefined): void {
    this.#committed = journal !== undefined && 'put' in journal ? journal.put : undefined;
    this.#isDue = true;
    this.#pause.abort();
  }

  /**
   * Returns the last resourceVersion that is known to be allotted: at once if it is above `known`, else after the next
   * read, or when `left` resolves.
   */
  async above(known: number, left: Promise<void>): Promise<number> {
    this.#known = Math.max(this.#known, known);
    if (this.#known > known) return this.#known;
    this.#waiting += 1;
    this.#next ??= this.#poll();
    try {
      await Promise.race([this.#next, left]);
      return this.#known;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#pause.abort();
    }
  }

  async #poll(): Promise<void> {
    const { logger } = this.#options;
    try {
      await this.#rest();
      // If no watch is left, the store may already be closed.
      if (this.#waiting > 0) await this.#read();
    } catch (error) {
      logger.warn('a read of the journal failed', { collection: this.#collection, error });
    } finally {
      this.#next = undefined;
    }
  }

  async #rest(): Promise<void> {
    const { clock, random } = this.#options;
    this.#pause = new AbortController();
    if (!this.#isDue) {
      const silence = this.#silence;
      const longest = silence < QUIET ? POLL : TIMING.watchPoll;
      const pause = Math.max(TIMING.watchPollBusy, Math.min(silence / PART, longest));
      await jitteredSleep(clock, random.fraction(), pause, this.#pause.signal);
    }
    this.#isDue = false;
  }

  async #read(): Promise<void> {
    const { clock, store } = this.#options;
    const known = this.#known;
    const next = this.#committed;
    const committed = Number(next?.sk) === known + 1 ? next : undefined;
    this.#committed = undefined;
    const headPause = Math.min(Math.max(HEAD.busy, this.#silence), HEAD.silent);
    if (committed === undefined && clock.now() - this.#headRead >= headPause) {
      return this.sawHead(await store.head(this.#collection), known);
    }
    const most = this.#most;
    const last = await store.arrived(this.#collection, known, most, committed);
    const isFull = committed === undefined && last === known + most;
    this.#most = isFull ? Math.min(2 * most, MOST) : 1;
    this.#isDue ||= isFull;
    this.#saw(last, known);
  }

  /** The time without a change, in ms. */
  get #silence(): number {
    return this.#options.clock.now() - this.#moved;
  }

  #saw(last: number, seen: number): void {
    if (last > Math.max(seen, this.#known)) this.#moved = this.#options.clock.now();
    this.#known = Math.max(this.#known, last);
  }
}
