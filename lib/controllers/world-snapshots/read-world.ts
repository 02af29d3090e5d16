import { zstdDecompressSync } from 'node:zlib';
import { type JsonObject, metadataOf } from '../../json/index.ts';
import { COMPACT_FORM, type WorldKinds } from '../../placement/index.ts';
import type { StoredObject, WorldSnapshot } from '../../server/index.ts';
import { stateOf, type Table } from '../../store/index.ts';
import { readChunks, readHeader } from './snapshot-rows.ts';
import type { Records } from './world-records.ts';

/**
 * The world that was stored last, and the resourceVersions that it includes. Undefined where there is none, where it
 * is incomplete, and where it has another form than this version reads.
 */
export async function readWorld(table: Table): Promise<WorldSnapshot | undefined> {
  const header = await readHeader(table);
  if (header === undefined || header.form !== COMPACT_FORM) return undefined;
  const chunks = await readChunks(table, header);
  return chunks && { upTo: header.upTo, objects: objectsIn(chunks) };
}

/** The objects of all chunks. Only one chunk is decompressed at a time. */
function* objectsIn(chunks: readonly Uint8Array[]): Generator<StoredObject> {
  for (const chunk of chunks) {
    const { WaitingPod = [], ...records }: Records = JSON.parse(zstdDecompressSync(chunk).toString());
    for (const [kind, bodies = []] of Object.entries(records)) {
      for (const body of bodies) yield stored(kind as keyof WorldKinds, 0, body as JsonObject);
    }
    for (const one of WaitingPod) {
      const [rv, body] = one as readonly [number, JsonObject];
      yield stored('Pod', rv, body);
    }
  }
}

function stored(kind: keyof WorldKinds, rv: number, body: JsonObject): StoredObject {
  const { namespace = '', name = '' } = metadataOf(body);
  const named = { namespace: String(namespace), name: String(name) };
  return { kind, name: named, after: stateOf(named, rv, body) };
}
