import type { Cursor, DispatchShard, Hints } from '../../coordination/index.ts';
import type { Table } from '../../store/index.ts';
import { isSplit, readShards } from './read-groups.ts';

export interface TellOptions extends DispatchShard {
  readonly table: Table;
  readonly hints: Hints;
  /** How many messages led to this one. */
  readonly hops: number;
  /** The cursor of the shard that sends the hints. */
  readonly cursor: Cursor;
}

/**
 * Sends hints to the other shards. Writers do not know the shards, so they send their hints to the first shard. The
 * first shard forwards the hint before its cursor moves to `rv`. The shards are read after the head of `rv`, so a shard
 * that is missing from them will read that head itself.
 */
export async function hintShards(options: TellOptions, rv: number): Promise<void> {
  const { table, hints, collection, group = 0, cursor, hops } = options;
  if (group !== 0 || !isSplit(cursor)) return;
  const others = (await readShards(table, collection)).filter((one) => one.group !== 0 && one.position < rv);
  await hints.offer(others.map((one) => ({ collection, group: one.group, rv, hops })));
}
