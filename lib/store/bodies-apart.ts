import type { BodyPlaces, ChunkTask, Placing } from './chunks/index.ts';
import type { Row, Table } from './table.ts';

/** Bodies in chunk rows. The code is loaded with the first such body: most objects fit their rows. */
const load = () => import('./chunks/index.ts');

/** Whether a body of the row is in chunk rows. */
export const isApart = ({ chunks, formerChunks }: Row): boolean =>
  chunks !== undefined || formerChunks !== undefined;

/**
 * An object's row with its body inline.
 *
 * @throws {MissingChunksError}
 */
export async function wholeRow(table: Table, row: Row): Promise<Row> {
  return row.chunks === undefined ? row : (await load()).wholeRow(table, row);
}

/** A journal entry's row with both bodies inline. @throws {GoneError} the entry is so old that its chunks were deleted */
export async function wholeEntry(table: Table, row: Row): Promise<Row> {
  return (await load()).wholeEntry(table, row);
}

export async function placeApart(placing: Placing): Promise<BodyPlaces> {
  return (await load()).placeApart(placing);
}

/** Does a GC task for chunks. @param now in ms since the epoch */
export async function collectChunks(table: Table, task: ChunkTask, now: number): Promise<void> {
  return (await load()).collectChunks(table, task, now);
}
