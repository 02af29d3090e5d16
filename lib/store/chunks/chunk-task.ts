import type { Collection } from '../../json/index.ts';
import { chunkTaskKey, objectKey } from '../keys.ts';
import type { Row, Table } from '../table.ts';
import { type ChunkRef, deleteChunks } from './chunk-rows.ts';

/** A GC task that deletes the chunks of a body, unless the object's row still references them. */
export interface ChunkTask {
  readonly collection: Collection;
  /** The object, as `nameKey` spells it. */
  readonly name: string;
  readonly uid: string;
  readonly chunks: ChunkRef;
}

/** The row of a GC task for chunks. @param due in ms since the epoch */
export function chunkTaskRow(task: ChunkTask, due: number): Row {
  const [id = ''] = task.chunks.split('/');
  return { ...chunkTaskKey({ due, collection: task.collection, id }), what: 'chunks', ...task };
}

/**
 * Does a GC task for chunks. No write adds a reference to stored chunks, except the one that stored them, which has ended
 * before the task is due. So chunks without a reference stay without one. If the object has them, the write that
 * replaces them puts the next task.
 */
export async function collectChunks(
  table: Table,
  { collection, name, chunks }: Pick<ChunkTask, 'collection' | 'name' | 'chunks'>,
): Promise<void> {
  const row = await table.get(objectKey(collection, name));
  if (row?.chunks !== chunks) await deleteChunks(table, chunks);
}
