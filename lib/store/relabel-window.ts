import { type Clock, Mutex, TIMING } from '../platform/index.ts';
import type { Labels } from '../selectors/index.ts';
import { JournalChange } from './journal.ts';
import type { JournalView } from './journal-tail.ts';
import { JOURNAL_SHARDS, padVersion, relabelPartition } from './keys.ts';
import type { Collection } from './object.ts';
import type { Row, Table } from './table.ts';

/** One change of an object's labels; no labels when it deleted the object. */
interface Relabel {
  readonly rv: number;
  readonly nameKey: string;
  readonly labels: Labels | undefined;
  readonly time: number;
}

/** The relabel entries of a shard up to an rv, as far back as a time. */
interface Stretch {
  readonly shard: number;
  readonly upTo: number;
  readonly oldest: number;
}

interface RelabelWindowOptions {
  readonly clock: Clock;
  readonly collection: Collection;
}

/** Rows read at first from each shard; doubled until old ones are met. */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 500;

/**
 * Every change of labels in the last 15 minutes of a collection: what a label index, which lags, may not show
 * yet. Kept between requests and extended from the journal's tail; its older part comes from the relabel
 * entries, which are small.
 */
export class RelabelWindow {
  readonly #options: RelabelWindowOptions;
  readonly #mutex = new Mutex();
  /** Ascending by rv, complete up to `#upTo`. */
  #relabels: readonly Relabel[] = [];
  #upTo: number | undefined;

  constructor(options: RelabelWindowOptions) {
    this.#options = options;
  }

  /**
   * The labels, at `at`, of every object whose labels changed within the window before it; by name key. `table`
   * is the caller's.
   */
  async labelsAt(table: Table, view: JournalView, at: number): Promise<Map<string, Labels | undefined>> {
    const relabels = await this.#mutex.run(() => this.#cover(table, view));
    const labels = new Map<string, Labels | undefined>();
    for (const relabel of relabels) {
      if (relabel.rv <= at) labels.set(relabel.nameKey, relabel.labels);
    }
    return labels;
  }

  async #cover(table: Table, view: JournalView): Promise<readonly Relabel[]> {
    const oldest = this.#options.clock.now() - TIMING.relabelWindow - TIMING.skew;
    const known = this.#upTo !== undefined && this.#upTo >= view.after;
    const older = known ? this.#relabels : await this.#read(table, view.after, oldest);
    const upTo = known ? (this.#upTo ?? view.after) : view.after;
    const newer = view.entries.flatMap((entry) =>
      entry instanceof JournalChange && entry.relabels && entry.rv > upTo ? [relabelOf(entry)] : [],
    );
    this.#upTo = Math.max(upTo, view.upTo);
    this.#relabels = [...older, ...newer].filter((relabel) => relabel.time >= oldest);
    return this.#relabels;
  }

  /** The relabel entries up to `upTo` that are not older than `oldest`, from every shard, ascending. */
  async #read(table: Table, upTo: number, oldest: number): Promise<Relabel[]> {
    const shards = Array.from({ length: JOURNAL_SHARDS }, (_, shard) =>
      this.#readShard(table, { shard, upTo, oldest }),
    );
    return (await Promise.all(shards)).flat().sort((left, right) => left.rv - right.rv);
  }

  async #readShard(table: Table, { shard, upTo, oldest }: Stretch): Promise<Relabel[]> {
    const { collection } = this.#options;
    const relabels: Relabel[] = [];
    let to = upTo;
    for (let limit = FIRST_PAGE; ; limit = Math.min(limit * 2, LARGEST_PAGE)) {
      const page = await table.query({
        partition: relabelPartition(collection, shard),
        from: padVersion(0),
        to: padVersion(to),
        descending: true,
        limit,
      });
      relabels.push(...page.rows.map(parseRelabel));
      const last = relabels.at(-1);
      if (!page.more || last === undefined || last.time < oldest) return relabels;
      to = last.rv - 1;
    }
  }
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
