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

/** A carrier and one of its selectors that matches. */
export interface FoundSelector {
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly uid: string;
  readonly carried: CarriedSelector;
}

/** The cost of a look-up. */
export interface FindTally {
  readonly queries: number;
  readonly rows: number;
  /** The number of carriers that were read. */
  readonly carriers: number;
}

export interface FindOptions {
  readonly table: Table;
  /** When the look-up begins, in ms since the epoch. */
  readonly now: number;
  /** Returns whether a selector matches the object: its labels, its namespace's labels and its fields. */
  matches(carried: CarriedSelector): boolean;
  /** Reads the current state of a carrier and its selectors, consistently; undefined if it does not exist. */
  readCarrier(collection: Collection, name: ObjectName): Promise<PresentCarrier | undefined>;
  /** The most matching selectors. If more match, {@link findCarriers} throws TooLargeError. */
  readonly most: number;
}

export interface PresentCarrier {
  readonly uid: string;
  readonly carried: readonly CarriedSelector[];
}

/**
 * The lifetime of a mark, in ms. No look-up can have missed the move of an older mark: clocks differ by at most half
 * of this.
 */
const MARK_LIFE = 60_000;
const PAGE = 1_000;
/** The maximum number of concurrent queries and reads. */
const AT_ONCE = 8;

/**
 * Finds all selectors that match an object. It takes 4 × labels + 2 queries, and more pages if there are many rows.
 *
 * The queries are not one snapshot, so the result is not a snapshot of all carriers. For each carrier it is exact:
 *
 * - A carrier that selects the object during the whole look-up is in the result.
 * - A carrier in the result selected the object at some moment of the look-up.
 *
 * @throws {TooLargeError} more than `most` selectors match
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

/** The selectors that match, in the order of their carriers. */
export interface SelectorMatches {
  readonly found: readonly FoundSelector[];
  readonly tally: FindTally;
}

type Carrier = Pick<FoundSelector, 'collection' | 'name'>;

/** The results that the queries of one look-up have found so far. */
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

  /** The carriers that must be read, because their postings do not show whether they select the object. */
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

/** The partitions of postings whose selectors may match the object. */
function partitionsOf({ target, namespace, labels }: SelectorQuery): readonly string[] {
  const spaces = namespace === '' ? [undefined] : [namespace, undefined];
  return spaces.flatMap((space) =>
    anchorsMet(labels).map((anchor) =>
      anchorPartition({ target, anchor, ...(space !== undefined && { namespace: space }) }),
    ),
  );
}
