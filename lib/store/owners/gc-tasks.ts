import type { Collection, ObjectName } from '../../json/index.ts';
import { lookKey, looksPartition, nameKey, padTime, parseNameKey } from '../keys.ts';
import type { Key, Row, Table } from '../table.ts';

/**
 * What a GC task checks:
 *
 * - `dependents`: the object's dependents, because the object is deleted or in deletion.
 * - `owners`: the object's owners, because it names new ones.
 * - `expiry`: whether the object has expired.
 * - `chunks`: whether the object's row still references the chunks of a body.
 */
export type LookAt = 'dependents' | 'owners' | 'expiry' | 'chunks';

/** A GC task that a write created in its own transaction. It is open until its row is deleted. */
export interface GcTask {
  readonly what: LookAt;
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly uid: string;
  /** The reference to the chunks, in a task for chunks. */
  readonly chunks?: string;
  /** How long these stay after the check, in ms; absent: not at all. */
  readonly stay?: number;
}

export interface StoredGcTask extends GcTask {
  readonly key: Key;
}

/** A GC task and the time from which it is due, in ms since the epoch, by the clock of its writer. */
export interface AskedLook {
  readonly what: LookAt;
  readonly due: number;
}

/** The row of a GC task that the write at `rv` creates. `name` is as `nameKey` spells it. */
export function lookRow({ what, due }: AskedLook, { collection, rv, name, uid }: Writing): Row {
  return { ...lookKey({ due, what, collection, rv }), what, collection, name, uid };
}

interface Writing {
  readonly collection: Collection;
  readonly rv: number;
  readonly name: string;
  readonly uid: string;
}

export interface DueOptions {
  readonly shard: number;
  /** The latest due time, in ms since the epoch. */
  readonly until: number;
  /** The maximum number of GC tasks. */
  readonly limit: number;
  /** The task after which the page begins. */
  readonly after?: StoredGcTask | undefined;
}

/** The due GC tasks of one shard, the earliest due first, read consistently. */
export async function dueGcTasks(
  table: Table,
  { shard, until, limit, after }: DueOptions,
): Promise<StoredGcTask[]> {
  const from = after === undefined ? '!' : `${after.key.sk}!`;
  const to = `${padTime(until)}~`;
  if (from > to) return [];
  const { rows } = await table.query({ partition: looksPartition(shard), from, to, limit });
  return rows.map(parseLook);
}

/** Postpones a GC task until `due`. A crash in between leaves both rows, and running a task twice does no harm. */
export async function postponeGcTask(table: Table, look: StoredGcTask, due: number): Promise<void> {
  const { key, what, collection, name, uid } = look;
  const later = { pk: key.pk, sk: `${padTime(due)}${key.sk.slice(key.sk.indexOf('#'))}` };
  await table.put({ ...later, what, collection, name: nameKey(name), uid });
  await table.delete(key);
}

/** Deletes a GC task that is done. */
export async function endGcTask(table: Table, { key }: StoredGcTask): Promise<void> {
  await table.delete(key);
}

function parseLook({ pk, sk, what, collection, name, uid, chunks, stay }: Row): StoredGcTask {
  return {
    key: { pk, sk },
    what: what as LookAt,
    collection: collection as Collection,
    name: parseNameKey(String(name)),
    uid: String(uid),
    ...(chunks !== undefined && { chunks: String(chunks) }),
    ...(stay !== undefined && { stay: Number(stay) }),
  };
}
