import type { Collection } from '../../json/index.ts';
import { isApart } from '../bodies-apart.ts';
import { JOURNAL_SHARDS, journalKey, padVersion } from '../keys.ts';
import type { Table } from '../table.ts';

interface YoungRange {
  /** The range of resourceVersions: `after` is exclusive, `upTo` inclusive. */
  readonly after: number;
  readonly upTo: number;
  /**
   * The time from which entries are recent, in ms since the epoch. All rows of older entries' transactions were in
   * the copy.
   */
  readonly since: number;
}

/** The recent entries of one object. */
export interface YoungObject {
  /** The resourceVersion of the newest entry. */
  readonly newest: number;
  /** The resourceVersions of all entries, and of those whose bodies are in chunk rows. */
  readonly versions: number[];
  readonly apart: number[];
  /** The resourceVersion and the `ttl` of the newest entry that deletes the object; absent if there is none. */
  readonly deleted?: { readonly rv: number; readonly ttl: number };
}

/** The recent entries of each recently written object, by name key. */
export async function youngEntries(
  table: Table,
  collection: Collection,
  { after, upTo, since }: YoungRange,
): Promise<ReadonlyMap<string, YoungObject>> {
  const found = new Map<string, YoungObject>();
  for (let shard = 0; shard < JOURNAL_SHARDS; shard += 1) {
    const { pk: partition } = journalKey(collection, shard);
    const from = padVersion(after + 1);
    let isOver = false;
    for (let to = padVersion(upTo); !isOver && to >= from; ) {
      const page = await table.query({ partition, from, to, descending: true });
      for (const row of page.rows) {
        const { sk, name, hole, time, type, ttl } = row;
        isOver ||= Number(time) < since;
        if (isOver || hole === true) continue;
        const { newest = 0, versions = [], apart = [], deleted } = found.get(String(name)) ?? {};
        const rv = Number(sk);
        versions.push(rv);
        if (isApart(row)) apart.push(rv);
        const isDeleted = type === 'DELETED' && rv > (deleted?.rv ?? 0);
        found.set(String(name), {
          newest: Math.max(newest, rv),
          versions,
          apart,
          ...(isDeleted ? { deleted: { rv, ttl: Number(ttl) } } : deleted && { deleted }),
        });
      }
      const last = page.rows.at(-1);
      isOver ||= !page.more || last === undefined;
      to = padVersion(Number(last?.sk) - 1);
    }
  }
  return found;
}
