import type { Collection } from '../../json/index.ts';
import { FIRST_VERSION } from '../head.ts';
import { parsePartition } from '../keys.ts';
import type { Key, Row } from '../table.ts';
import type { Scan } from './scan.ts';

/** What a copy of a table says of itself. */
export interface TableScan {
  /** The highest resourceVersion that any row of a collection names. */
  readonly highest: Readonly<Record<Collection, number>>;
  /** Up to where its journal may be gone. */
  readonly compacted: Readonly<Record<Collection, number>>;
  /** Collections whose objects have something for themselves alone. */
  readonly reserving: readonly Collection[];
  /** When the newest journal entry was written, in ms since the epoch; 0 where there is none. */
  readonly newest: number;
  readonly rows: number;
}

/** Rows whose partition key begins with their collection. */
const OF_COLLECTION = new Set(['object', 'journal', 'relabel', 'tombstone', 'head', 'subscriptions', 'turn']);
/** Rows whose sort key is a resourceVersion. */
const OF_VERSION = new Set(['journal', 'relabel']);

/** Reads every row once. A head's row may be older than rows that name what it allotted: so all are asked. */
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
