import type { Collection } from '../../json/index.ts';
import type { Table } from '../../store/index.ts';
import { readShards } from '../shards/index.ts';

/**
 * What the selectors take, in bytes, by which dispatch sends the changes of a collection: as each of its shards said
 * with its last turn. What was created since is not in it.
 */
export async function readSelectedBytes(table: Table, collection: Collection): Promise<number> {
  const groups = await readShards(table, collection);
  return groups.reduce((sum, { selecting }) => sum + selecting, 0);
}
