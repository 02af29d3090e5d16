import { Mutex, TIMING } from '../platform/index.ts';
import { GoneError } from './errors.ts';
import { JournalChange, type JournalEntry } from './journal.ts';
import { type Gaps, type SettleOptions, settledEntries, settledFront } from './settle.ts';
import type { Table } from './table.ts';
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

/** Entries to read at first when nothing is known: one a shard; doubled until old ones are met. */
const FIRST_LOOK = 8;
const LONGEST_LOOK = 100;
/** Beyond this many entries to catch up, starting afresh from the head is cheaper. */
const LONGEST_GAP = 1_000;
const MOST_ENTRIES = 2_000;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The recent tail of one collection's journal, kept between requests and keyed by a contiguous range of
 * resourceVersions, so that a frozen and thawed process is never wrong, only behind.
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
   * Settles the collection up to `upTo` and gives its journal from `above` (exclusive), or further back: always
   * at least every entry younger than the clocks' skew. `table` is the caller's.
   *
   * @throws {GoneError} entries above `above` are compacted.
   */
  cover(table: Table, upTo: number, above = upTo): Promise<JournalView> {
    const options = { ...this.#options, table };
    return this.#mutex.run(async () => {
      if (this.#view !== undefined && upTo <= this.#view.after) {
        // Far behind what is remembered: read for this caller alone.
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
   * The entries next to `after` that are decided, and `upTo` at most: at least one, which alone is waited for. What
   * follows the tail is added to it. `table` is the caller's.
   *
   * @throws {GoneError} the first is compacted.
   */
  next(table: Table, after: number, upTo: number): Promise<readonly JournalEntry[]> {
    return this.#next(table, { after, upTo, wait: 'first' });
  }

  /** The same without waiting: none, where the first is not decided, or compacted. */
  decided(table: Table, after: number, upTo: number): Promise<readonly JournalEntry[]> {
    return this.#next(table, { after, upTo, wait: 'none' });
  }

  #next(table: Table, { after, upTo, wait }: Next): Promise<readonly JournalEntry[]> {
    const options = { ...this.#options, table };
    return this.#mutex.run(async () => {
      if (this.#view === undefined || after > this.#view.upTo) this.#view = await this.#reach(options, after);
      const view = this.#view;
      const known = view.entries.filter(({ rv }) => rv > after && rv <= upTo);
      if (after >= view.after && known.length > 0) return known;
      const entries = await settledFront(options, { from: after + 1, to: upTo, gaps: this.#gaps, wait });
      if (after === view.upTo) {
        const end = entries.at(-1)?.rv ?? after;
        this.#view = this.#trim({ after: view.after, upTo: end, entries: [...view.entries, ...entries] });
      }
      return entries;
    });
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
      // This process slept for longer than the journal is kept.
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

  /** Forgets the oldest entries beyond the bounds, never one younger than twice the skew. */
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
