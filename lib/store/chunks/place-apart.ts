import { createHash } from 'node:crypto';
import type { Collection, JsonObject } from '../../json/index.ts';
import { type Random, TIMING } from '../../platform/index.ts';
import { encodeBody, encodedBytes } from '../body/index.ts';
import type { ObjectState } from '../object.ts';
import type { Attribute, Table, TransactItem } from '../table.ts';
import { type ChunkedBody, type ChunkRef, chunksOf, putChunks } from './chunk-rows.ts';
import { type ChunkTask, chunkTaskRow } from './chunk-task.ts';

type Attributes = Readonly<Record<string, Attribute>>;

/** Where a write stores the object's body and the state before. */
export interface BodyPlaces {
  /** The attributes of the object's row, and of the journal entry. */
  readonly object: Attributes;
  readonly entry: Attributes;
  /**
   * Puts the chunk rows that these reference; absent if there are none.
   *
   * @param due when their GC tasks are due, in ms since the epoch
   * @param stay how long journal entries may reference them after the object does not, in ms
   */
  store?(table: Table, due: number, stay: number): Promise<void>;
  /** The GC task for chunks that only the journal references after the write. @param due when it is due, in ms */
  released?(due: number): TransactItem[];
}

/** A write whose bodies do not fit its rows, or whose object has chunks. */
export interface Placing {
  readonly collection: Collection;
  readonly name: string;
  readonly uid: string;
  readonly before: ObjectState | undefined;
  readonly deletes: boolean;
  readonly body: JsonObject;
  readonly entry: PlacedEntry;
  /** The most bytes of both bodies and of the labels before in a row. */
  readonly room: number;
  readonly divided: DividedBodies;
  readonly random: Random;
  /** In ms since the epoch. */
  readonly now: number;
}

/** The draft of the journal entry, as far as it matters here. */
interface PlacedEntry {
  readonly body: string | Uint8Array;
  readonly previous: string | Uint8Array;
  readonly relabels: boolean;
  readonly formerLabels: string;
  readonly changesMain: boolean;
  readonly repeats?: boolean;
}

/**
 * The bodies that one write has divided, by a digest of their bytes. If an attempt has the bytes of an earlier one, it
 * references the same chunks.
 */
export type DividedBodies = Map<string, { readonly body: ChunkedBody; isStored: boolean }>;

/**
 * Decides where the bodies of a write are stored: the body inline if it fits alone, and else in chunk rows. The state
 * before is stored whole: inline, in the chunk rows that hold it already, or in new ones. So a journal entry without its
 * own chunks, as a copy of the table may have, still shows that state.
 */
export function placeApart(placing: Placing): BodyPlaces {
  const { collection, name, uid, before, deletes, body, entry, divided, random } = placing;
  const room = placing.room - (entry.relabels ? Buffer.byteLength(entry.formerLabels) : 0);
  const used = new Set<{ readonly body: ChunkedBody; isStored: boolean }>();
  const place = (encoded: string | Uint8Array, bytes: number): PlacedBody => {
    if (encodedBytes(encoded) <= bytes) return { body: encoded };
    const digest = createHash('sha256').update(encoded).digest('base64');
    const known = divided.get(digest) ?? {
      body: chunksOf(random.uuid(), encoded, { collection, name }),
      isStored: false,
    };
    divided.set(digest, known);
    used.add(known);
    return { chunks: known.body.ref };
  };
  const isSame = before?.apart !== undefined && JSON.stringify(before.body) === JSON.stringify(body);
  const main = isSame ? { chunks: before.apart.chunks } : place(entry.body, room);
  const left = room - encodedBytes(main.body ?? '');
  const former = formerOf(placing, (encoded) => place(encoded, left));
  const kept =
    main.chunks === undefined || former === undefined ? undefined : keptState(placing, former, left);
  const task = (chunks: ChunkRef): ChunkTask => ({ collection, name, uid, chunks });
  const since = isSame ? before.apart.since : placing.now;
  return {
    object: { ...attributesOf(main), ...(main.chunks !== undefined && { chunksSince: since }), ...kept },
    entry: { ...attributesOf(main), ...pastOf(entry, former) },
    store: async (table, due, stay) => {
      for (const one of used) {
        if (one.isStored) continue;
        // The task goes first: if this process dies before its transaction, the collector deletes the chunks.
        await table.put(chunkTaskRow({ ...task(one.body.ref), stay }, due));
        await putChunks(table, one.body.rows);
        one.isStored = true;
      }
    },
    released: (due) => {
      const chunks = before?.apart?.chunks;
      if (chunks === undefined || (!deletes && chunks === main.chunks)) return [];
      return [{ put: chunkTaskRow(task(chunks), due) }];
    },
  };
}

interface PlacedBody {
  readonly body?: string | Uint8Array | undefined;
  readonly chunks?: ChunkRef | undefined;
}

/** The place of the state before; undefined if there is none, or if the write repeats it. */
function formerOf(
  { before, entry }: Placing,
  place: (encoded: string | Uint8Array) => PlacedBody,
): PlacedBody | undefined {
  if (before === undefined || entry.repeats) return undefined;
  return before.apart === undefined ? place(encodeBody(before.body)) : { chunks: before.apart.chunks };
}

/** The attributes of a journal entry about the state before. */
function pastOf(entry: PlacedEntry, former: PlacedBody | undefined): Attributes {
  if (former === undefined) return { previous: entry.previous };
  const { relabels, formerLabels, changesMain } = entry;
  return { ...formerAttributes(former), ...(relabels && { formerLabels }), changesMain };
}

/**
 * The state that the object's row keeps besides its chunks. In a copy of the table, chunk rows may be up to
 * `TIMING.torn` older than the object's row, and so be missing. So the row keeps the state before only if its chunks are
 * older than that, and otherwise the state that the row before kept.
 */
function keptState({ before, now }: Placing, former: PlacedBody, room: number): Attributes {
  const { apart, rv = 0 } = before ?? {};
  const earlier = apart?.former;
  const isYoung = apart !== undefined && now - apart.since < TIMING.torn;
  const kept =
    isYoung && earlier !== undefined && encodedBytes(earlier.body ?? '') <= room ? earlier : undefined;
  return { ...formerAttributes(kept ?? former), formerRv: kept?.rv ?? rv };
}

function attributesOf({ body, chunks }: PlacedBody): Attributes {
  return { ...(body !== undefined && { body }), ...(chunks !== undefined && { chunks }) };
}

function formerAttributes({ body, chunks }: PlacedBody): Attributes {
  return {
    ...(body !== undefined && { former: body }),
    ...(chunks !== undefined && { formerChunks: chunks }),
  };
}
