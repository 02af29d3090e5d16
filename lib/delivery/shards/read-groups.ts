import { type Cursor, type Following, isFollowed, parseCursor } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import {
  BUCKETS,
  bucketOf,
  CURSORS,
  cursorKey,
  type Row,
  shardOfCursor,
  type Table,
} from '../../store/index.ts';

/** A shard and its cursor. */
export interface ShardCursor extends Cursor {
  readonly collection: Collection;
  readonly group: number;
}

/**
 * The shards of a collection by their first buckets. The collection's cursors are the directory. A bucket belongs to
 * the last shard that begins at or before it, even while the rows of a split become readable one by one.
 */
export async function readShards(table: Table, collection: Collection): Promise<readonly ShardCursor[]> {
  return groupsFrom(table, collection, await table.get(cursorKey(collection)));
}

/**
 * Like {@link readShards}, for a caller that has read the row of shard 0. If the collection was never split, it makes
 * no request.
 */
export async function groupsFrom(
  table: Table,
  collection: Collection,
  first: Row | undefined,
): Promise<readonly ShardCursor[]> {
  if (!isSplit(parseCursor(first))) return [{ ...parseCursor(first), collection, group: 0 }];
  const { rows } = await table.query({ partition: cursorKey(collection).pk, ...CURSORS });
  return rows.map((row) => ({ ...parseCursor(row), collection, group: shardOfCursor(row) }));
}

/** Whether a collection has more shards than its first one, whose cursor this is. */
export function isSplit({ until }: Cursor): boolean {
  return until < BUCKETS;
}

/** The shard of a subscription. */
export function shardOfUid(groups: readonly ShardCursor[], uid: string): ShardCursor {
  const place = bucketOf(uid);
  const found = groups.findLast(({ group }) => group <= place);
  if (found === undefined) throw new RangeError(`no shard has bucket ${place}`);
  return found;
}

/**
 * Returns the resourceVersion up to which every shard of a collection has sent all changes; `Infinity` if dispatch has
 * no work for the collection.
 */
export async function leastPosition(
  { table, ...following }: Following & { readonly table: Table },
  collection: Collection,
): Promise<number> {
  const groups = await readShards(table, collection);
  const followed = groups.filter((one) => isFollowed(collection, one, following));
  return Math.min(...followed.map(({ position }) => position));
}
