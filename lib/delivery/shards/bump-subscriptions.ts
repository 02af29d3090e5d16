import { type DispatchShard, parseCursor } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import { bucketOf, type Conditional, cursorKey, type Row, type Table } from '../../store/index.ts';
import { readShards, type ShardCursor, shardOfUid } from './read-groups.ts';

export interface RaiseOptions {
  readonly table: Table;
  readonly clock: Clock;
}

/**
 * The pause between two reads of a row that a split is about to change, in ms, and the number of reads. Together they
 * last longer than a transaction.
 */
const PAUSE = 100;
const TRIES = 30;

/**
 * Counts a changed subscription state, so that dispatch reads it. Returns the cursor of its shard. The count and `seen`
 * are in one row. So either the current round finds `members` raised when it stores `seen`, or the returned `seen` is
 * the one that it stored.
 *
 * The shard is looked up after the state is stored. A shard that is created later reads the states later still.
 */
export async function bumpSubscriptions(
  { table, clock }: RaiseOptions,
  { collection, uid }: { readonly collection: Collection; readonly uid: string },
): Promise<ShardCursor> {
  let group: Required<DispatchShard> | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { outcome, row } = await raise(table, group ?? { collection });
    const raised =
      outcome === 'done' ? { ...parseCursor(row), collection, group: group?.group ?? 0 } : undefined;
    if (raised !== undefined && bucketOf(uid) < raised.until) return raised;
    if (outcome === 'busy') {
      await clock.sleep(PAUSE);
    } else {
      group = shardOfUid(await readShards(table, collection), uid);
    }
  }
  throw new Error(`other processes keep splitting the shards of ${collection}`);
}

/** Raises `members`. If `group` is undefined, it raises that of shard 0, provided that there is no other shard. */
function raise(table: Table, { collection, group }: DispatchShard): Promise<Conditional & { row?: Row }> {
  const key = cursorKey(collection, group);
  return table.update(key, {
    add: { members: 1 },
    condition: group === undefined ? [{ missing: 'until' }] : [{ attribute: 'sk', is: '=', value: key.sk }],
  });
}
