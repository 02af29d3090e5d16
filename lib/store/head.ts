import type { Collection } from '../json/index.ts';
import { headKey } from './keys.ts';
import type { Row, Table } from './table.ts';

/** The resourceVersion of a collection that was never written. Clients give 0 a meaning of its own. */
export const FIRST_VERSION = 1;

/** The last resourceVersion allotted, read consistently. */
export async function readHead(table: Table, collection: Collection): Promise<number> {
  return versionIn(await table.get(headKey(collection)));
}

/** What a head row says, or that there is none. */
export function versionIn(row: Row | undefined): number {
  return Math.max(FIRST_VERSION, Number(row?.rv ?? 0));
}

/**
 * Allots the next resourceVersion. The head row is touched by nothing but this ADD, so writers never conflict on it.
 * A writer that is allotted `FIRST_VERSION`, the version of the empty collection, takes another. A request that fails
 * may have allotted one all the same: readers then wait a grace for it, and nothing else happens.
 */
export async function allotVersion(table: Table, collection: Collection): Promise<number> {
  for (;;) {
    const { row } = await table.update(headKey(collection), { add: { rv: 1 } });
    const rv = Number(row?.rv);
    if (rv > FIRST_VERSION) return rv;
  }
}
