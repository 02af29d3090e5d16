import type { Collection } from '../../json/index.ts';
import type { Table } from '../../store/index.ts';
import { readShards } from '../shards/index.ts';

/**
 * Returns the bytes of the selectors by which dispatch sends the changes of a collection. Each shard reports them with
 * its last round. Newer subscriptions are not included.
 */
export async function readSelectedBytes(table: Table, collection: Collection): Promise<number> {
  const groups = await readShards(table, collection);
  return groups.reduce((sum, { selecting }) => sum + selecting, 0);
}
