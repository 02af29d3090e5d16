import type { Collection } from '../../json/index.ts';
import { FIRST_VERSION } from '../head.ts';
import { parsePartition } from '../keys.ts';
import type { Key, Row } from '../table.ts';
import type { Scan } from './scan.ts';

/** The facts about a copy of a table, from all its rows. */
export interface TableScan {
  /** The highest resourceVersion that any row of a collection names. */
  readonly highest: Readonly<Record<Collection, number>>;
  /** The resourceVersion up to which the collection's journal may be gone. */
  readonly compacted: Readonly<Record<Collection, number>>;
  /** The collections whose objects have reservations. */
  readonly reserving: readonly Collection[];
  /** When the newest journal entry was written, in ms since the epoch; 0 if there is none. */
  readonly newest: number;
  readonly rows: number;
}

/** The kinds of rows whose partition key names their collection after the kind. */
const OF_COLLECTION = new Set(['object', 'journal', 'relabel', 'tombstone', 'head', 'subscriptions', 'turn']);
/** The kinds of rows whose sort key is a resourceVersion. */
const OF_VERSION = new Set(['journal', 'relabel']);

/**
 * Reads every row once. In a copy, a head row may be older than rows with resourceVersions that it allotted, so all
 * rows count.
 */
export async function scanTable(scan: Scan, told: (rows: number) => void = () => {}): Promise<TableScan> {
  const highest: Record<Collection, number> = {};
  const compacted: Record<Collection, number> = {};
  const reserving = new Set<Collection>();
  let newest = 0;
  let count = 0;
  let after: Key | undefined;
  do {
    const { rows, next } = await scan(after);
    for (const row of rows) {
      const { kind, of } = parsePartition(row.pk);
      const collection = of as Collection;
      if (!OF_COLLECTION.has(kind)) continue;
      highest[collection] = Math.max(highest[collection] ?? FIRST_VERSION, ...versionsIn(row, kind));
      if (row.compacted !== undefined) compacted[collection] = Number(row.compacted);
      if (row.reserved !== undefined) reserving.add(collection);
      if (kind === 'journal') newest = Math.max(newest, Number(row.time));
    }
    count += rows.length;
    told(count);
    after = next;
  } while (after !== undefined);
  return { highest, compacted, reserving: [...reserving], newest, rows: count };
}

/** All resourceVersions of its collection that a row names. */
function versionsIn({ sk, rv, settled, compacted, position }: Row, kind: string): number[] {
  const named = [rv, settled, compacted, position, OF_VERSION.has(kind) ? sk : 0];
  return named.map((one) => Number(one ?? 0));
}
