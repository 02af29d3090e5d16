import { decodeBody } from '../../../lib/store/body-codec.ts';
import { type Collection, FIRST_VERSION, headKey, parseNameKey, stateOf } from '../../../lib/store/index.ts';
import type { Snapshot } from '../history.ts';
import type { World } from '../world/world.ts';
import { PODS, snapshotOf } from './pods.ts';

/** The pods as the table's rows hold them, past every cache and index. */
export function finalPods({ table }: World): Snapshot[] {
  return table.rows
    .partition(`object#${PODS}`)
    .map((row) => snapshotOf(stateOf(parseNameKey(row.sk), Number(row.rv), decodeBody(row.body))))
    .sort((left, right) => (left.object < right.object ? -1 : 1));
}

/** A collection's head as its row holds it. */
export function headOf({ table }: World, collection: Collection): number {
  return Math.max(FIRST_VERSION, Number(table.rows.get(headKey(collection))?.rv ?? 0));
}
