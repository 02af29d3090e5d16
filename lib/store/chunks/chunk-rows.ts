import type { Collection } from '../../json/index.ts';
import { mapBounded } from '../../platform/index.ts';
import { chunkKey } from '../keys.ts';
import type { Row, Table } from '../table.ts';

/** The reference to a body that is stored in chunk rows: `<id>/<number of chunks>`. The id is unique to one write. */
export type ChunkRef = string;

/** The bytes of one chunk. The row has to fit an item (400 KiB) with its key and the name of its object. */
const CHUNK_BYTES = 380_000;
const AT_ONCE = 4;

/** The object whose body the chunks hold, with `name` as `nameKey` spells it. */
export interface ChunkOwner {
  readonly collection: Collection;
  readonly name: string;
}

export interface ChunkedBody {
  readonly ref: ChunkRef;
  readonly rows: readonly Row[];
}

/** Divides an encoded body into chunk rows. Each row has its own partition, so that a write does not heat one. */
export function chunksOf(id: string, encoded: string | Uint8Array, owner: ChunkOwner): ChunkedBody {
  const bytes = typeof encoded === 'string' ? Buffer.from(encoded) : encoded;
  const count = Math.ceil(bytes.byteLength / CHUNK_BYTES);
  const rows = Array.from({ length: count }, (_, at) => ({
    ...chunkKey(id, at),
    ...owner,
    count,
    bytes: bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
  }));
  return { ref: `${id}/${count}`, rows };
}

/** Puts the rows. No row references them yet, so a failure leaves nothing but rows that the collector deletes. */
export async function putChunks(table: Table, rows: readonly Row[]): Promise<void> {
  await mapBounded(rows, AT_ONCE, (row) => table.put(row));
}

/** The encoded body, read consistently; undefined if a chunk is missing. */
export async function readChunks(table: Table, ref: ChunkRef): Promise<Uint8Array | undefined> {
  const keys = keysOf(ref);
  const found = new Map((await table.batchGet(keys)).map((row) => [row.pk, row.bytes as Uint8Array]));
  const parts = keys.flatMap(({ pk }) => found.get(pk) ?? []);
  return parts.length === keys.length ? Buffer.concat(parts) : undefined;
}

export async function deleteChunks(table: Table, ref: ChunkRef): Promise<void> {
  await mapBounded(keysOf(ref), AT_ONCE, (key) => table.delete(key));
}

function keysOf(ref: ChunkRef) {
  const [id = '', count] = ref.split('/');
  return Array.from({ length: Number(count) }, (_, at) => chunkKey(id, at));
}
