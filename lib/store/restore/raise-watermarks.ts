import type { Collection } from '../../json/index.ts';
import { CURSORS, cursorKey, headKey, shardOfCursor } from '../keys.ts';
import type { Table } from '../table.ts';
import { raiseWatermark } from '../watermarks.ts';

/** The attributes that an earlier dispatcher left in a cursor. */
const OF_A_DISPATCHER = ['until', 'admitting', 'admitted', 'leaseHolder', 'leaseExpires'];

/**
 * Makes a collection continue above `head`:
 *
 * - No resourceVersion up to `head` is allotted again.
 * - No reader reads its journal up to there. Requests for earlier resourceVersions get 410.
 * - Its cursor is at `head`. There is one cursor for all buckets, because the copy may hold only one half of a split.
 *
 * Doing it twice does no harm.
 */
export async function raiseWatermarks(table: Table, collection: Collection, head: number): Promise<void> {
  const raised = { set: { rv: head }, condition: [{ any: belowOrMissing('rv', head) }] };
  await table.update(headKey(collection), raised);
  await raiseWatermark(table, collection, 'settled', head);
  await raiseWatermark(table, collection, 'compacted', head);
  const { rows } = await table.query({ partition: headKey(collection).pk, ...CURSORS });
  if (rows.length === 0) return;
  const cursor = cursorKey(collection);
  await table.update(cursor, {
    set: { position: head },
    condition: [{ any: belowOrMissing('position', head) }],
  });
  // The subscriptions of all buckets belong to this cursor now.
  await table.update(cursor, { remove: OF_A_DISPATCHER, add: { members: 1 } });
  for (const row of rows) {
    const group = shardOfCursor(row);
    if (group !== 0) await table.delete(cursorKey(collection, group));
  }
}

function belowOrMissing(attribute: string, value: number) {
  return [{ missing: attribute }, { attribute, is: '<', value } as const];
}
