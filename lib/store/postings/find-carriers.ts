import type { Collection, ObjectName } from '../../json/index.ts';
import { TooLargeError } from '../../json/index.ts';
import { mapBounded } from '../../platform/index.ts';
import { anchorsMet, type Labels } from '../../selectors/index.ts';
import { anchorPartition, nameKey, parseNameKey } from '../keys.ts';
import type { Table } from '../table.ts';
import type { CarriedSelector } from './carried-selector.ts';
import { type AnchorRow, parseAnchorRow } from './posting-row.ts';

/** The object of the query, or labels that an object could have. */
export interface SelectorQuery {
  readonly target: Collection;
  /** `''` in cluster scope. */
  readonly namespace: string;
  readonly labels: Labels;
}

/** An object, and one of its selectors. */
export interface FoundSelector {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly uid: string;
  readonly carried: CarriedSelector;
}

/** What a look-up took. */
export interface FindTally {
  readonly queries: number;
  readonly rows: number;
  /** Carriers that were read themselves. */
  readonly carriers: number;
}

export interface FindOptions {
  readonly table: Table;
  /** When the look-up begins, in ms since the epoch. */
  readonly now: number;
  /** Whether a selector selects the object: its labels, its namespace's and its fields. */
  matches(carried: CarriedSelector): boolean;
  /** The present state of a carrier and its selectors, read consistently; undefined where it is not there. */
  readCarrier(collection: Collection, name: ObjectName): Promise<PresentCarrier | undefined>;
  /** Selectors at most. */
  readonly most: number;
}

export interface PresentCarrier {
  readonly uid: string;
  readonly carried: readonly CarriedSelector[];
}

/** A mark is older than this where no look-up can have missed what it tells of: clocks differ by half of it. */
const MARK_LIFE = 60_000;
const PAGE = 1_000;
/** Queries and reads under way at a time. */
const AT_ONCE = 8;

/**
 * All selectors that select an object, at 4 × labels + 2 queries and as many pages more as there are rows.
 *
 * The queries are not one snapshot, so the answer is none of all carriers together. Of each carrier it is exact: who
 * selects the object during the whole look-up is in it, and who is in it selected it at some moment of it.
 *
 * @throws {TooLargeError} there are more than `most`
 */
export async function findCarriers(sought: SelectorQuery, options: FindOptions): Promise<SelectorMatches> {
  const { table, now } = options;
  const findings = new Gathering(sought.target, options);
  await mapBounded(partitionsOf(sought), AT_ONCE, async (partition) => {
    for (let from: string | undefined = '!'; from !== undefined; ) {
      const { rows, more } = await table.query({ partition, from, to: '~', limit: PAGE });
      findings.countQuery(rows.length);
      for (const row of rows) findings.meet(parseAnchorRow(row), now);
      from = more ? `${rows.at(-1)?.sk}!` : undefined;
    }
  });
  await mapBounded(findings.unclear(), AT_ONCE, async ({ collection, name }) => {
    findings.settle({ collection, name }, await options.readCarrier(collection, name));
  });
  return findings.result();
}

/** Selectors, in the order of their carriers. */
export interface SelectorMatches {
  readonly found: readonly FoundSelector[];
  readonly tally: FindTally;
}

type Carrier = Pick<FoundSelector, 'collection' | 'name'>;

/** What the queries of one look-up have met. */
class Gathering {
  readonly #target: Collection;
  readonly #options: Pick<FindOptions, 'matches' | 'most'>;
  readonly #found = new Map<string, FoundSelector>();
  readonly #unclear = new Map<string, Carrier>();
  #queries = 0;
  #rows = 0;

  constructor(target: Collection, options: Pick<FindOptions, 'matches' | 'most'>) {
    this.#target = target;
    this.#options = options;
  }

  countQuery(rows: number): void {
    this.#queries += 1;
    this.#rows += rows;
  }

  meet(row: AnchorRow, now: number): void {
    const { collection, uid } = row;
    const name = parseNameKey(row.name);
    if (row.kind === 'selector') {
      this.#keep({ collection, name, uid, carried: row.carried });
    } else if (row.kind === 'see' || row.time > now - MARK_LIFE) {
      this.#unclear.set(`${collection}#${row.name}`, { collection, name });
    }
  }

  /** Carriers whose rows do not say whether they select. */
  unclear(): readonly Carrier[] {
    return [...this.#unclear.values()];
  }

  settle(carrier: Carrier, present: PresentCarrier | undefined): void {
    for (const carried of present?.carried ?? []) {
      if (carried.target === this.#target) this.#keep({ ...carrier, uid: present?.uid ?? '', carried });
    }
  }

  result(): SelectorMatches {
    const ordered = [...this.#found].sort(([left], [right]) => (left < right ? -1 : 1));
    const tally = { queries: this.#queries, rows: this.#rows, carriers: this.#unclear.size };
    return { found: ordered.map(([, one]) => one), tally };
  }

  #keep(found: FoundSelector): void {
    const { matches, most } = this.#options;
    if (!matches(found.carried)) return;
    this.#found.set(`${found.collection}#${nameKey(found.name)}#${found.carried.path}`, found);
    const { size } = this.#found;
    if (size > most) {
      throw new TooLargeError('what selects the object', size, { limit: most, unit: 'selectors' });
    }
  }
}

/** Where rows of selectors stand that may select the object. */
function partitionsOf({ target, namespace, labels }: SelectorQuery): readonly string[] {
  const spaces = namespace === '' ? [undefined] : [namespace, undefined];
  return spaces.flatMap((space) =>
    anchorsMet(labels).map((anchor) =>
      anchorPartition({ target, anchor, ...(space !== undefined && { namespace: space }) }),
    ),
  );
}
