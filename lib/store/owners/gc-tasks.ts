import type { Collection, ObjectName } from '../../json/index.ts';
import { lookKey, looksPartition, nameKey, padTime, parseNameKey } from '../keys.ts';
import type { Key, Row, Table } from '../table.ts';

/**
 * What reconcile is to look at for the sake of an object: `dependents`, because it is gone or on its way out; its
 * `owners`, because it names new ones; or whether its own time is over (`expiry`).
 */
export type LookAt = 'dependents' | 'owners' | 'expiry';

/** A look that a write asked for in its own transaction. It is owed until its row is deleted. */
export interface GcTask {
  readonly what: LookAt;
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly uid: string;
}

export interface StoredGcTask extends GcTask {
  readonly key: Key;
}

/** A GC task and the time from which it is due, in ms since the epoch, by the clock of its writer. */
export interface AskedLook {
  readonly what: LookAt;
  readonly due: number;
}

/** The row of a look that the write at `rv` asks for. `name` as `nameKey` spells it. */
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
  /** Up to when they are due, in ms since the epoch. */
  readonly until: number;
  /** Looks at most. */
  readonly limit: number;
  /** Begin behind this one. */
  readonly after?: StoredGcTask | undefined;
}

/** Looks of one shard that are due, the longest owed first, read consistently. */
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

/** The look is to be had again later, from `due` on. A crash in between leaves both, and having it twice does nothing. */
export async function postponeGcTask(table: Table, look: StoredGcTask, due: number): Promise<void> {
  const { key, what, collection, name, uid } = look;
  const later = { pk: key.pk, sk: `${padTime(due)}${key.sk.slice(key.sk.indexOf('#'))}` };
  await table.put({ ...later, what, collection, name: nameKey(name), uid });
  await table.delete(key);
}

/** The look was had: it is owed no longer. */
export async function endGcTask(table: Table, { key }: StoredGcTask): Promise<void> {
  await table.delete(key);
}

function parseLook({ pk, sk, what, collection, name, uid }: Row): StoredGcTask {
  return {
    key: { pk, sk },
    what: what as LookAt,
    collection: collection as Collection,
    name: parseNameKey(String(name)),
    uid: String(uid),
  };
}
