import type { Collection } from '../../json/index.ts';
import { TIMING } from '../../platform/index.ts';
import { expiresAt, type Row, snapshotChunkKey, snapshotKey, type Table } from '../../store/index.ts';

/** The row that makes a snapshot valid. It is written after all chunks. */
export interface SnapshotHeader {
  /** The id of this snapshot alone. A writer that crashed left chunks under another id. */
  readonly id: string;
  /** The form in which its objects are stored. */
  readonly form: string;
  /** The snapshot includes all changes up to these resourceVersions, and no later changes. */
  readonly upTo: ReadonlyMap<Collection, number>;
  readonly chunks: number;
  /** The time at which writing began, in ms since the epoch. */
  readonly written: number;
  /** The epoch of the lease under which it was written. */
  readonly epoch: number;
}

export async function readHeader(table: Table): Promise<SnapshotHeader | undefined> {
  const row = await table.get(snapshotKey);
  if (row === undefined) return undefined;
  const { id, form, upTo, chunks, written, epoch } = row;
  return {
    id: String(id),
    form: String(form),
    upTo: new Map(Object.entries(JSON.parse(String(upTo)))) as ReadonlyMap<Collection, number>,
    chunks: Number(chunks),
    written: Number(written),
    epoch: Number(epoch),
  };
}

/** The chunks in order; undefined where one is missing or belongs to another snapshot. */
export async function readChunks(table: Table, header: SnapshotHeader): Promise<Uint8Array[] | undefined> {
  const keys = Array.from({ length: header.chunks }, (_, at) => snapshotChunkKey(header.id, at));
  const rows = new Map((await table.batchGet(keys)).map((row) => [row.pk, row]));
  const text = textOf(header.upTo);
  const chunks = keys.flatMap(({ pk }) => {
    const row = rows.get(pk);
    return row?.id === header.id && row.upTo === text ? [row.data as Uint8Array] : [];
  });
  return chunks.length === header.chunks ? chunks : undefined;
}

/** The row of a chunk. Each chunk has its own partition, because a partition takes 1,000 write units a second. */
export function chunkRow({ id, upTo, written }: SnapshotHeader, at: number, data: Uint8Array): Row {
  return { ...snapshotChunkKey(id, at), id, upTo: textOf(upTo), data, ttl: expiryOf(written) };
}

export function headerRow({ upTo, ...header }: SnapshotHeader): Row {
  return { ...snapshotKey, ...header, upTo: textOf(upTo), ttl: expiryOf(header.written) };
}

function expiryOf(written: number): number {
  return expiresAt(written, TIMING.expiry);
}

function textOf(upTo: ReadonlyMap<Collection, number>): string {
  return JSON.stringify(Object.fromEntries([...upTo].sort(([one], [other]) => (one < other ? -1 : 1))));
}
