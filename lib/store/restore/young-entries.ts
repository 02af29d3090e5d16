import type { Collection } from '../../json/index.ts';
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

/** The resourceVersion of the newest entry of each recently written object, by name key. */
export async function youngEntries(
  table: Table,
  collection: Collection,
  { after, upTo, since }: YoungRange,
): Promise<ReadonlyMap<string, number>> {
  const newest = new Map<string, number>();
  for (let shard = 0; shard < JOURNAL_SHARDS; shard += 1) {
    const { pk: partition } = journalKey(collection, shard);
    const from = padVersion(after + 1);
    let isOver = false;
    for (let to = padVersion(upTo); !isOver && to >= from; ) {
      const page = await table.query({ partition, from, to, descending: true });
      for (const { sk, name, hole, time } of page.rows) {
        isOver ||= Number(time) < since;
        if (isOver || hole === true) continue;
        newest.set(String(name), Math.max(newest.get(String(name)) ?? 0, Number(sk)));
      }
      const last = page.rows.at(-1);
      isOver ||= !page.more || last === undefined;
      to = padVersion(Number(last?.sk) - 1);
    }
  }
  return newest;
}
