import type { Collection } from '../../json/index.ts';
import { CURSORS, cursorKey, headKey, shardOfCursor } from '../keys.ts';
import type { Table } from '../table.ts';
import { raiseWatermark } from '../watermarks.ts';

/** What a dispatcher that is gone left in a cursor. */
const OF_A_DISPATCHER = ['until', 'admitting', 'admitted', 'leaseHolder', 'leaseExpires'];

/**
 * Has a collection go on above `head`: nothing up to there is allotted again, nobody reads its journal up to there,
 * and its cursor stands there: one for all places, for of a split one half may have come along. Requests for earlier
 * resourceVersions get 410. Doing it twice does no harm.
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
  // The subscriptions of all places are its members now.
  await table.update(cursor, { remove: OF_A_DISPATCHER, add: { members: 1 } });
  for (const row of rows) {
    const group = shardOfCursor(row);
    if (group !== 0) await table.delete(cursorKey(collection, group));
  }
}

function belowOrMissing(attribute: string, value: number) {
  return [{ missing: attribute }, { attribute, is: '<', value } as const];
}
