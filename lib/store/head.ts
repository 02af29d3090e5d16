import type { Collection } from '../json/index.ts';
import { headKey } from './keys.ts';
import type { Row, Table } from './table.ts';

/**
 * The resourceVersion of a collection without any write. It is not 0, because for clients resourceVersion 0 means any
 * version.
 */
export const FIRST_VERSION = 1;

/** The last resourceVersion allotted, read consistently. */
export async function readHead(table: Table, collection: Collection): Promise<number> {
  return versionIn(await table.get(headKey(collection)));
}

/** The resourceVersion in a head row; `FIRST_VERSION` if the row does not exist. */
export function versionIn(row: Row | undefined): number {
  return Math.max(FIRST_VERSION, Number(row?.rv ?? 0));
}

/** A resourceVersion that was allotted. */
export interface Allotment {
  readonly rv: number;
  /** Whether the collection was marked by then ({@link markFollowed}). */
  readonly isFollowed: boolean;
}

/**
 * Allots the next resourceVersion. Only this ADD changes the version in the head row, so writers never conflict on it. A writer that
 * receives `FIRST_VERSION`, the version of the empty collection, allots again. A request that fails may still have
 * allotted a resourceVersion. The only effect is that readers wait a grace for it.
 */
export async function allotVersion(table: Table, collection: Collection): Promise<Allotment> {
  for (;;) {
    const { row } = await table.update(headKey(collection), { add: { rv: 1 } });
    const rv = Number(row?.rv);
    if (rv > FIRST_VERSION) return { rv, isFollowed: row?.followed === true };
  }
}

/**
 * Marks a collection that a Subscription or a Tally selects, so that its writers send hints. It costs writers nothing,
 * because the mark is in the row in which they allot. Returns the last resourceVersion that was allotted before.
 */
export async function markFollowed(table: Table, collection: Collection): Promise<number> {
  const { row } = await table.update(headKey(collection), { set: { followed: true } });
  return versionIn(row);
}
