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
  /**
   * How long the chunks stay after the task finds them without a reference, in ms: the object may have had them, and
   * journal entries may still reference them. Absent: they are deleted at once.
   */
  readonly stay?: number | undefined;
}

/** The row of a GC task for chunks. @param due in ms since the epoch */
export function chunkTaskRow({ collection, name, uid, chunks, stay }: ChunkTask, due: number): Row {
  const [id = ''] = chunks.split('/');
  const row = { ...chunkTaskKey({ due, collection, id }), what: 'chunks', collection, name, uid, chunks };
  return stay === undefined ? row : { ...row, stay };
}

/**
 * Does a GC task for chunks. If the object's row references them, the write that replaces them puts the next task. An
 * object's row without the reference never gets it again: only the write that stored the chunks adds it, and that write
 * has ended before the task is due.
 *
 * @param now in ms since the epoch
 */
export async function collectChunks(table: Table, { stay, ...task }: ChunkTask, now: number): Promise<void> {
  const row = await table.get(objectKey(task.collection, task.name));
  if (row?.chunks === task.chunks) return;
  if (stay === undefined) return deleteChunks(table, task.chunks);
  await table.put(chunkTaskRow(task, now + stay));
}
