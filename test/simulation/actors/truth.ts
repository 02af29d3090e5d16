import type { Collection } from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { FIRST_VERSION, headKey, parseNameKey, stateOf } from '../../../lib/store/index.ts';
import { JournalChange, parseEntry } from '../../../lib/store/journal.ts';
import { JOURNAL_SHARDS } from '../../../lib/store/keys.ts';
import type { Snapshot } from '../history.ts';
import type { World } from '../world/world.ts';
import { PODS, snapshotOf } from './pods.ts';

/** The pods as the table's rows hold them, without caches and indexes. */
export function finalPods({ table }: World): Snapshot[] {
  return table.rows
    .partition(`object#${PODS}`)
    .map((row) => table.rows.whole(row))
    .map((row) => snapshotOf(stateOf(parseNameKey(row.sk), Number(row.rv), decodeBody(row.body))))
    .sort((left, right) => (left.object < right.object ? -1 : 1));
}

/** The pods at a resourceVersion, from the journal's rows, in no order. */
export function podsAt({ table }: World, rv: number): Snapshot[] {
  const shards = Array.from({ length: JOURNAL_SHARDS }, (_, shard) => shard);
  const entries = shards.flatMap((shard) =>
    table.rows.partition(`journal#${PODS}#${shard}`).map((row) => parseEntry(table.rows.whole(row))),
  );
  const before = entries
    .filter((entry): entry is JournalChange => entry instanceof JournalChange && entry.rv <= rv)
    .sort((left, right) => left.rv - right.rv);
  const last = new Map(before.map((change) => [change.nameKey, change]));
  return [...last.values()].flatMap(({ after }) => (after === undefined ? [] : [snapshotOf(after)]));
}

/** A collection's head as its row holds it. */
export function headOf({ table }: World, collection: Collection): number {
  return Math.max(FIRST_VERSION, Number(table.rows.get(headKey(collection))?.rv ?? 0));
}
