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

/**
 * Allots the next resourceVersion. Only this ADD touches the head row, so writers never conflict on it. A writer that
 * receives `FIRST_VERSION`, the version of the empty collection, allots again. A request that fails may still have
 * allotted a resourceVersion. The only effect is that readers wait a grace for it.
 */
export async function allotVersion(table: Table, collection: Collection): Promise<number> {
  for (;;) {
    const { row } = await table.update(headKey(collection), { add: { rv: 1 } });
    const rv = Number(row?.rv);
    if (rv > FIRST_VERSION) return rv;
  }
}
