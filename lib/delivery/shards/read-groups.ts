import { type Cursor, parseCursor } from '../../coordination/index.ts';
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

/** A group and where it is. */
export interface ShardCursor extends Cursor {
  readonly collection: Collection;
  readonly group: number;
}

/**
 * The groups of a collection by their first places: its cursors are the directory. A place is of the last group that
 * does not begin behind it, also while the rows of a split become readable one by one.
 */
export async function readShards(table: Table, collection: Collection): Promise<readonly ShardCursor[]> {
  return groupsFrom(table, collection, await table.get(cursorKey(collection)));
}

/** The same, where the row of group 0 was read: one that was never split has all places, and nothing is asked. */
export async function groupsFrom(
  table: Table,
  collection: Collection,
  first: Row | undefined,
): Promise<readonly ShardCursor[]> {
  if (!isSplit(parseCursor(first))) return [{ ...parseCursor(first), collection, group: 0 }];
  const { rows } = await table.query({ partition: cursorKey(collection).pk, ...CURSORS });
  return rows.map((row) => ({ ...parseCursor(row), collection, group: shardOfCursor(row) }));
}

/** Whether a collection has more groups than the one whose cursor this is, which is its first. */
export function isSplit({ until }: Cursor): boolean {
  return until < BUCKETS;
}

/** The group that a subscription is of. */
export function shardOfUid(groups: readonly ShardCursor[], uid: string): ShardCursor {
  const place = bucketOf(uid);
  const found = groups.findLast(({ group }) => group <= place);
  if (found === undefined) throw new RangeError(`no group has place ${place}`);
  return found;
}

/** Up to where every group of a collection is: dispatch has told all of it. */
export async function leastPosition(table: Table, collection: Collection): Promise<number> {
  const groups = await readShards(table, collection);
  return Math.min(...groups.map(({ position }) => position));
}
