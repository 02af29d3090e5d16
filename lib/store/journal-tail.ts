import { Mutex, TIMING } from '../platform/index.ts';
import { GoneError } from './errors.ts';
import { JournalChange, type JournalEntry, parseEntry, readEntries } from './journal.ts';
import { type Gaps, type SettleOptions, settledEntries, settledFront } from './settle.ts';
import type { Row, Table } from './table.ts';
import { readWatermarks } from './watermarks.ts';

/** The journal's entries with `after < rv <= upTo`, all decided, ascending. Immutable. */
export interface JournalView {
  readonly after: number;
  readonly upTo: number;
  readonly entries: readonly JournalEntry[];
}

interface Next {
  readonly after: number;
  readonly upTo: number;
  readonly wait: 'first' | 'none';
}

/**
 * The number of entries of the first read without a cache, one for each shard. It doubles until old entries are
 * found.
 */
const FIRST_LOOK = 8;
const LONGEST_LOOK = 100;
/** If the cache is further behind than this many entries, starting again from the head is cheaper. */
const LONGEST_GAP = 1_000;
const MOST_ENTRIES = 2_000;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The recent tail of one collection's journal, cached between requests. It is keyed by a contiguous range of
 * resourceVersions. So after a process was frozen, its cache may be old, but is never wrong.
 */
export class JournalTail {
  readonly #options: Omit<SettleOptions, 'table'>;
  readonly #mutex = new Mutex();
  #view: JournalView | undefined;
  readonly #gaps: Gaps = new Map();

  constructor(options: Omit<SettleOptions, 'table'>) {
    this.#options = options;
  }

  /**
   * Settles the collection up to `upTo` and returns its journal from `above` (exclusive), or from an earlier entry.
   * The result always includes every entry younger than the clocks' skew. `table` is the table of the caller's request.
   *
   * @throws {GoneError} entries above `above` are compacted.
   */
  cover(table: Table, upTo: number, above = upTo): Promise<JournalView> {
    const options = { ...this.#options, table };
    return this.#mutex.run(async () => {
      if (this.#view !== undefined && upTo <= this.#view.after) {
        // Far behind the cache: read for this caller only, and do not cache.
        return { after: above, upTo, entries: await settledEntries(options, above + 1, upTo) };
      }
      let view = await this.#reach(options, upTo);
      if (above < view.after) {
        const older = await settledEntries(options, above + 1, view.after);
        view = { ...view, after: above, entries: [...older, ...view.entries] };
      }
      this.#view = this.#trim(view);
      return view;
    });
  }

  /**
   * Returns the decided entries that follow `after`, up to `upTo`: at least one, and it waits for the first only.
   * Entries that continue the tail are added to it. `table` is the table of the caller's request.
   *
   * @throws {GoneError} the first is compacted.
   */
  next(table: Table, after: number, upTo: number): Promise<readonly JournalEntry[]> {
    return this.#next(table, { after, upTo, wait: 'first' });
  }

  /** Like {@link next}, but it does not wait. Returns no entries if the first is not decided, or is compacted. */
  decided(table: Table, after: number, upTo: number): Promise<readonly JournalEntry[]> {
    return this.#next(table, { after, upTo, wait: 'none' });
  }

  /**
   * Returns the last of the entries directly after `after` that an eventually consistent read finds, at most `most`;
   * `after` if it finds none. Such a read may miss an entry, but an entry never changes. Entries that continue the tail
   * are added to it. The tail grows in one step, so this needs no mutex.
   *
   * @param committed the row of the next entry, if it is known: it takes the place of the read
   */
  async arrived(table: Table, after: number, most: number, committed?: Row): Promise<number> {
    const { collection } = this.#options;
    const read =
      committed === undefined
        ? await readEntries(table, collection, after + 1, after + most, 'eventual')
        : [parseEntry(committed)];
    const entries = read.filter(({ rv }, index) => rv === after + 1 + index);
    this.#append(after, entries);
    return after + entries.length;
  }

  #next(table: Table, { after, upTo, wait }: Next): Promise<readonly JournalEntry[]> {
    const options = { ...this.#options, table };
    return this.#mutex.run(async () => {
      if (this.#view === undefined || after > this.#view.upTo) this.#view = await this.#reach(options, after);
      const view = this.#view;
      const known = view.entries.filter(({ rv }) => rv > after && rv <= upTo);
      if (after >= view.after && known.length > 0) return known;
      const entries = await settledFront(options, { from: after + 1, to: upTo, gaps: this.#gaps, wait });
      this.#append(after, entries);
      return entries;
    });
  }

  /** Adds the entries that follow `after`, if the tail ends there. */
  #append(after: number, entries: readonly JournalEntry[]): void {
    const view = this.#view;
    if (view === undefined || after !== view.upTo || entries.length === 0) return;
    const upTo = after + entries.length;
    this.#view = this.#trim({ after: view.after, upTo, entries: [...view.entries, ...entries] });
  }

  async #reach(options: SettleOptions, upTo: number): Promise<JournalView> {
    const known = this.#view;
    if (known === undefined || upTo - known.upTo > LONGEST_GAP) return this.#start(options, upTo);
    if (upTo <= known.upTo) return known;
    try {
      const newer = await settledEntries(options, known.upTo + 1, upTo);
      return { after: known.after, upTo, entries: [...known.entries, ...newer] };
    } catch (error) {
      if (!(error instanceof GoneError)) throw error;
      // This process was frozen for longer than the journal is kept.
      return this.#start(options, upTo);
    }
  }

  /** Reads backwards from `upTo` until the entries are older than the skew, or there are no more. */
  async #start(options: SettleOptions, upTo: number): Promise<JournalView> {
    const { table, clock, collection } = options;
    const { compacted } = await readWatermarks(table, collection);
    const young = clock.now() - TIMING.skew;
    let entries: JournalEntry[] = [];
    let after = upTo;
    for (let look = FIRST_LOOK; after > compacted; look = Math.min(look * 2, LONGEST_LOOK)) {
      const from = Math.max(compacted + 1, after - look + 1);
      const older = await settledEntries(options, from, after);
      entries = [...older, ...entries];
      after = from - 1;
      if (older.every((entry) => entry.time < young)) break;
    }
    return { after, upTo, entries };
  }

  /** Removes the oldest entries beyond the limits of the cache, but never one younger than twice the skew. */
  #trim(view: JournalView): JournalView {
    const young = this.#options.clock.now() - 2 * TIMING.skew;
    let bytes = view.entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
    let count = view.entries.length;
    let forget = 0;
    for (const entry of view.entries) {
      if (entry.time >= young || (count <= MOST_ENTRIES && bytes <= MOST_BYTES)) break;
      bytes -= bytesOf(entry);
      count -= 1;
      forget += 1;
    }
    if (forget === 0) return view;
    return { after: view.after + forget, upTo: view.upTo, entries: view.entries.slice(forget) };
  }
}

function bytesOf(entry: JournalEntry): number {
  return entry instanceof JournalChange ? entry.bytes : 0;
}
