/** Bodies that are too large for a row: where a write stores them, and how rows get them back. */
export { type ChunkRef, readChunks } from './chunk-rows.ts';
export { type ChunkTask, chunkTaskRow, collectChunks } from './chunk-task.ts';
export { type BodyPlaces, type DividedBodies, type Placing, placeApart } from './place-apart.ts';
export { MissingChunksError, wholeEntry, wholeRow } from './whole-row.ts';
