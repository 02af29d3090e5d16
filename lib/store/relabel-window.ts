import type { Collection } from '../json/index.ts';
import { type Clock, Mutex, TIMING } from '../platform/index.ts';
import type { Labels } from '../selectors/index.ts';
import { FIRST_VERSION } from './head.ts';
import { JournalChange } from './journal.ts';
import type { JournalView } from './journal-tail.ts';
import { JOURNAL_SHARDS, padVersion, relabelPartition } from './keys.ts';
import type { Row, Table } from './table.ts';

/** The newest change of an object's labels; `labels` is undefined if it deleted the object. */
export interface Relabel {
  readonly rv: number;
  readonly nameKey: string;
  readonly labels: Labels | undefined;
  readonly time: number;
}

interface RelabelWindowOptions {
  readonly clock: Clock;
  readonly collection: Collection;
}

/** One LIST's request for the window. */
export interface WindowRequest {
  readonly view: JournalView;
  /** The maximum number of relabel entries to read, including those that earlier calls have read. */
  readonly most: number;
  readonly table: Table;
}

/**
 * The number of rows of the first page of each shard. Each later page is four times as large, until old rows are
 * found.
 */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 1_000;
/** The maximum number of cached objects. A larger window is not cached, and not tried again for a while. */
const MOST_OBJECTS = 100_000;
const PRUNE_EVERY = 60_000;

/**
 * The labels of the objects that were relabelled in the last 15 minutes. A label index lags, and may not show these
 * changes yet. The window is cached between requests and extended from the journal. Its older part is read from the
 * relabel entries, which are small. They are read backwards from where the journal begins, up to the caller's limit.
 *
 * The window holds the newest labels only. A LIST at an earlier resourceVersion takes the objects that changed since
 * then from its view of the journal.
 */
export class RelabelWindow {
  readonly #options: RelabelWindowOptions;
  readonly #mutex = new Mutex();
  #state: WindowState | undefined;
  #full = false;
  #pruned = Number.NEGATIVE_INFINITY;

  constructor(options: RelabelWindowOptions) {
    this.#options = options;
  }

  /**
   * Returns every object relabelled within the window before the end of `view`, by name key. The map may include
   * older and newer changes, and it continues to change. Undefined if there are more than `most` entries to read.
   */
  cover({ view, most, table }: WindowRequest): Promise<ReadonlyMap<string, Relabel> | undefined> {
    return this.#mutex.run(async () => {
      const oldest = this.#options.clock.now() - TIMING.relabelWindow - TIMING.skew;
      this.#prune(oldest);
      if (this.#full) return undefined;
      const state = this.#reach(view, oldest);
      while (state.shards.length > 0 && state.read < most) await this.#readMore(state, oldest, table);
      if (state.relabels.size > MOST_OBJECTS) {
        this.#full = true;
        this.#state = undefined;
      }
      return state.shards.length === 0 && !this.#full ? state.relabels : undefined;
    });
  }

  #prune(oldest: number): void {
    const now = this.#options.clock.now();
    if (now - this.#pruned < PRUNE_EVERY) return;
    this.#pruned = now;
    this.#full = false;
    for (const [name, { time }] of this.#state?.relabels ?? []) {
      if (time < oldest) this.#state?.relabels.delete(name);
    }
  }

  /** The cached state, extended by the changes of `view`; a new state if `view` does not continue the cached one. */
  #reach(view: JournalView, oldest: number): WindowState {
    const known = this.#state;
    const state = known !== undefined && known.upTo >= view.after ? known : newState(view, oldest);
    for (const entry of view.entries) {
      if (entry instanceof JournalChange && entry.relabels && entry.rv > state.upTo) {
        state.relabels.set(entry.nameKey, relabelOf(entry));
      }
    }
    state.upTo = Math.max(state.upTo, view.upTo);
    this.#state = state;
    return state;
  }

  /** Reads one more page of every shard that has not ended. */
  async #readMore(state: WindowState, oldest: number, table: Table): Promise<void> {
    const pages = await Promise.all(state.shards.map((shard) => this.#readPage(table, shard, state.limit)));
    state.limit = Math.min(state.limit * 4, LARGEST_PAGE);
    state.shards = state.shards.flatMap(({ shard }, at) => {
      const { relabels = [], more = false } = pages[at] ?? {};
      state.read += relabels.length;
      for (const relabel of relabels) {
        if (relabel.rv > (state.relabels.get(relabel.nameKey)?.rv ?? 0)) {
          state.relabels.set(relabel.nameKey, relabel);
        }
      }
      const last = relabels.at(-1);
      if (!more || last === undefined) return [];
      if (last.time >= oldest) return [{ shard, to: last.rv - 1 }];
      state.from = Math.max(state.from, last.rv);
      return [];
    });
    if (state.shards.length === 0) forget(state, oldest);
  }

  async #readPage(table: Table, { shard, to }: Shard, limit: number) {
    const page = await table.query({
      partition: relabelPartition(this.#options.collection, shard),
      from: padVersion(0),
      to: padVersion(to),
      descending: true,
      limit,
    });
    return { relabels: page.rows.map(parseRelabel), more: page.more };
  }
}

/** The part of a shard's relabel entries that is not read yet; it is read from its end. */
interface Shard {
  readonly shard: number;
  readonly to: number;
}

interface WindowState {
  readonly relabels: Map<string, Relabel>;
  /** The window is complete from this resourceVersion, once all shards were read. */
  from: number;
  /** The window is complete up to this resourceVersion. */
  upTo: number;
  /** The shards whose older entries are not read yet. */
  shards: readonly Shard[];
  read: number;
  limit: number;
}

/**
 * A new state. Relabel entries need not be read if the journal at hand begins before the window does, or at the
 * journal's start.
 */
function newState({ after, entries }: JournalView, oldest: number): WindowState {
  const [first] = entries;
  const complete = after <= FIRST_VERSION || (first !== undefined && first.time < oldest);
  const shards = complete ? [] : Array.from({ length: JOURNAL_SHARDS }, (_, shard) => ({ shard, to: after }));
  return { relabels: new Map(), from: 0, upTo: after, shards, read: 0, limit: FIRST_PAGE };
}

/**
 * Removes changes that may not be the newest of their object:
 *
 * 1. Changes older than the range in which all shards were read. Some are missing there.
 * 2. Changes older than the window. Entries expire in no particular order, and the index shows those changes.
 */
function forget({ relabels, from }: WindowState, oldest: number): void {
  for (const [name, { rv, time }] of relabels) if (rv < from || time < oldest) relabels.delete(name);
}

function relabelOf(entry: JournalChange): Relabel {
  const { rv, nameKey, time } = entry;
  return { rv, nameKey, labels: entry.type === 'DELETED' ? undefined : entry.labels, time };
}

function parseRelabel(row: Row): Relabel {
  return {
    rv: Number(row.sk),
    nameKey: String(row.name),
    labels: row.labels === undefined ? undefined : JSON.parse(String(row.labels)),
    time: Number(row.time),
  };
}
