import type { Collection, JsonObject, ObjectName } from '../json/index.ts';
import { applyMergePatch, isJsonObject, jsonSizeOf, mergePatchBetween } from '../json/index.ts';
import { HISTORY_DAYS, TIMING } from '../platform/index.ts';
import type { Labels } from '../selectors/index.ts';
import { isApart, wholeEntry } from './bodies-apart.ts';
import { decodeBody, decodeText, encodeBody, encodeFamiliar } from './body/index.ts';
import { journalKey, nameKey, parseNameKey, relabelKey } from './keys.ts';
import { type ObjectState, stateOf } from './object.ts';
import type { Origin } from './origin.ts';
import type { Attribute, Reading, Row, Table } from './table.ts';

const DAY = 24 * 3_600_000;

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One decided resourceVersion of a collection: a change, or a hole in place of a dead writer's change. */
export type JournalEntry = JournalChange | JournalHole;

export interface JournalHole {
  readonly kind: 'hole';
  readonly rv: number;
  /** Milliseconds since the epoch, by the clock of the entry's writer. */
  readonly time: number;
}

/**
 * A change with the object's state on both sides of it. States are decoded on demand, and stay in memory while they
 * are referenced. A cache of many changes therefore stays small. If a body is in chunk rows, only {@link whole} has
 * the states.
 */
export class JournalChange {
  readonly kind = 'change';
  readonly rv: number;
  readonly type: ChangeType;
  readonly name: ObjectName;
  readonly nameKey: string;
  readonly labels: Labels;
  /** Whether labels differ from the state before; true for every create and delete. */
  readonly relabels: boolean;
  readonly time: number;
  /** The id of the request that made the change. Absent if no request did, or in entries older than this field. */
  readonly auditID: string | undefined;
  /** The name of the caller; absent in the same cases as `auditID`. */
  readonly user: string | undefined;
  /** The field manager of the write; absent in the same cases as `auditID`. */
  readonly manager: string | undefined;
  /** Whether history may show the entry: its row has schema version 4 or a later one. */
  readonly isLinked: boolean;
  /** Whether the entry is no change: a restore has put the rows of a state again that the object already had. */
  readonly repeats: boolean;
  /**
   * The resourceVersion of the object's last change before this one that changed more than `status` and
   * `metadata.managedFields`; 0 if there was none, or if the writer did not know it.
   */
  readonly previousMain: number;
  /** When the row expires, in ms since the epoch. DynamoDB deletes it later. */
  readonly expires: number;
  /** The approximate number of bytes of memory that the entry holds. */
  readonly bytes: number;
  readonly #row: Row;
  #state: WeakRef<ObjectState> | undefined;
  #before: WeakRef<ObjectState> | undefined;
  #changesMain: boolean | undefined;

  constructor(row: Row) {
    this.#row = row;
    this.rv = Number(row.sk);
    this.type = row.type as ChangeType;
    this.nameKey = String(row.name);
    this.name = parseNameKey(this.nameKey);
    this.labels = JSON.parse(String(row.labels));
    this.relabels = row.relabels === true;
    this.time = Number(row.time);
    this.auditID = row.auditID === undefined ? undefined : String(row.auditID);
    this.user = row.user === undefined ? undefined : String(row.user);
    this.manager = row.manager === undefined ? undefined : String(row.manager);
    this.isLinked = row.previousMain !== undefined;
    this.repeats = row.repeats === true;
    this.previousMain = Number(row.previousMain ?? 0);
    this.expires = Number(row.ttl) * 1000;
    this.bytes = 500 + lengthOf(row.body) + lengthOf(row.previous) + lengthOf(row.former);
  }

  /** Whether bodies of the entry are in chunk rows, so that the states are only in {@link whole}. */
  get isApart(): boolean {
    return isApart(this.#row);
  }

  /**
   * The same change with its states in memory. Each call reads the chunk rows: with a cache of weak references, the
   * requests of a process would depend on its garbage collection.
   *
   * @throws {GoneError} the entry is so old that its chunks were deleted
   */
  async whole(table: Table): Promise<JournalChange> {
    if (!this.isApart) return this;
    const { chunks: _, formerChunks: __, ...inline } = await wholeEntry(table, this.#row);
    return new JournalChange(inline as Row);
  }

  /** The object after this change. For a delete: its last state, stamped with the deletion's resourceVersion. */
  get state(): ObjectState {
    const known = this.#state?.deref();
    if (known !== undefined) return known;
    const state = stateOf(this.name, this.rv, decodeBody(this.#row.body));
    this.#state = new WeakRef(state);
    return state;
  }

  /** The object after this change; undefined when it was deleted. */
  get after(): ObjectState | undefined {
    return this.type === 'DELETED' ? undefined : this.state;
  }

  /** The object before this change; undefined when it did not exist. */
  get before(): ObjectState | undefined {
    if (this.type === 'ADDED') return undefined;
    const known = this.#before?.deref();
    if (known !== undefined) return known;
    const { former } = this.#row;
    const body =
      former === undefined
        ? (applyMergePatch(this.state.body, this.#patchBack()) as JsonObject)
        : decodeBody(former);
    const before = stateOf(this.name, this.previousRv, body);
    this.#before = new WeakRef(before);
    return before;
  }

  /** The object's labels before this change; undefined when it did not exist. */
  get labelsBefore(): Labels | undefined {
    if (this.type === 'ADDED') return undefined;
    if (!this.relabels || this.repeats) return this.labels;
    const { formerLabels } = this.#row;
    return formerLabels === undefined ? this.before?.labels : JSON.parse(String(formerLabels));
  }

  /** Whether the change is more than one of `status` and `metadata.managedFields`; true for every create and delete. */
  get changesMain(): boolean {
    const { changesMain } = this.#row;
    this.#changesMain ??=
      !this.repeats &&
      (this.type !== 'MODIFIED' ||
        (changesMain === undefined ? isMain(this.#patchBack()) : changesMain === true));
    return this.#changesMain;
  }

  /** The merge patch from the state after to the state before. */
  #patchBack(): JsonObject {
    const { body: after, previous } = this.#row;
    return decodeBody(previous, typeof previous === 'string' ? undefined : decodeText(after));
  }

  /** The resourceVersion of the object before this change; 0 when it did not exist. */
  get previousRv(): number {
    return Number(this.#row.previousRv);
  }

  /** The approximate number of bytes of heap that both decoded states take together. */
  get heap(): number {
    const { heap } = this.#row;
    if (heap !== undefined) return Number(heap);
    // The entry is older than the attribute.
    return [this.after, this.before].reduce(
      (sum, state) => sum + (state ? jsonSizeOf(state.body).heap : 0),
      0,
    );
  }
}

const lengthOf = (encoded: Attribute | undefined) =>
  (encoded as string | Uint8Array | undefined)?.length ?? 0;

export function parseEntry(row: Row): JournalEntry {
  return row.hole === true
    ? { kind: 'hole', rv: Number(row.sk), time: Number(row.time) }
    : new JournalChange(row);
}

/** The journal entry of a write, encoded before its resourceVersion is known. */
export interface EntryDraft extends Origin {
  readonly type: ChangeType;
  readonly name: ObjectName;
  readonly labels: string;
  readonly relabels: boolean;
  readonly body: string | Uint8Array;
  /** The merge patch back to the state before. */
  readonly previous: string | Uint8Array;
  readonly previousRv: number;
  /** The labels of the state before, as JSON. */
  readonly formerLabels: string;
  /** Whether the change is more than one of `status` and `metadata.managedFields`. */
  readonly changesMain: boolean;
  /** The resourceVersion of the object's last such change before this one; 0 if there is none, or none is known. */
  readonly previousMain: number;
  /** Whether the entry repeats the state before. */
  readonly repeats?: boolean;
  /** The number of JSON values in the body. */
  readonly values: number;
  /** The bytes of heap that the decoded body takes, and the bytes that both states take together. */
  readonly heap: number;
  readonly heapOfBoth: number;
}

export function draftEntry(
  name: ObjectName,
  before: ObjectState | undefined,
  change: DraftChange,
): EntryDraft {
  const labels = encodeLabels(stateOf(name, 0, change.body).labels);
  const previous = before === undefined ? {} : mergePatchBetween(change.body, before.body);
  const type = change.deletes ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
  const text = JSON.stringify(change.body);
  const formerLabels = encodeLabels(before?.labels ?? {});
  const { values, heap } = jsonSizeOf(change.body, text);
  return {
    type,
    name,
    labels,
    relabels: type !== 'MODIFIED' || labels !== formerLabels,
    body: change.isFamiliar ? encodeFamiliar(change.body, text) : encodeBody(change.body, text),
    // A merge patch repeats a whole list that changed, for example the field managers, so the body is a good
    // dictionary.
    previous: encodeBody(previous, undefined, text),
    previousRv: before?.rv ?? 0,
    formerLabels,
    changesMain: type !== 'MODIFIED' || isMain(previous),
    previousMain: before?.mainRv ?? 0,
    values,
    heap,
    // A reader applies the patch to the state after. This copies each object that the patch changes.
    heapOfBoth: before === undefined ? heap : 2 * heap + jsonSizeOf(previous).heap,
  };
}

/** Whether a merge patch changes more than `status` and `metadata.managedFields`. */
function isMain(patch: JsonObject): boolean {
  return Object.entries(patch).some(([key, value]) =>
    key === 'metadata' && isJsonObject(value)
      ? Object.keys(value).some((field) => field !== 'managedFields')
      : key !== 'status',
  );
}

/** Labels as JSON, sorted by key, so that equal label sets are equal texts. */
function encodeLabels(labels: Labels): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))),
  );
}

interface DraftChange {
  readonly body: JsonObject;
  readonly deletes: boolean;
  /** Whether the row schema is {@link FAMILIAR_SCHEMA} or later. */
  readonly isFamiliar: boolean;
}

/** When a row written at `time` (ms) may expire, in seconds since the epoch, as DynamoDB's TTL expects. */
export const expiresAt = (time: number, lifetime: number) => Math.floor((time + lifetime) / 1000);

/** Collections with many changes that say little afterwards. Winnow keeps their history for a day. */
export const BRIEF_COLLECTIONS: readonly Collection[] = [
  'core/events',
  'coordination.k8s.io/leases',
  'winnow.dev/canaries',
];

/** The time for which the table keeps a journal entry, in ms: the days of history, and one more. */
export function lifetimeOf(collection: Collection, historyDays = 1): number {
  const days = BRIEF_COLLECTIONS.includes(collection) ? 1 : historyDays;
  return TIMING.expiry + (days - 1) * DAY;
}

/** A journal entry's row, except its expiry. @param bodies the attributes with the states on both sides */
export function entryRow(
  collection: Collection,
  draft: EntryDraft,
  { rv, time, bodies }: { readonly rv: number; readonly time: number; readonly bodies: Partial<Row> },
): Row {
  return {
    ...journalKey(collection, rv),
    type: draft.type,
    name: nameKey(draft.name),
    labels: draft.labels,
    relabels: draft.relabels,
    ...bodies,
    previousRv: draft.previousRv,
    heap: draft.heapOfBoth,
    ...(draft.auditID === undefined ? {} : { auditID: draft.auditID }),
    ...(draft.user === undefined ? {} : { user: draft.user }),
    time,
  };
}

/** The attributes of a journal row since schema version 4. `previousMain` also tells such rows from older ones. */
export function linksOf({ previousMain, manager, repeats }: EntryDraft): Partial<Row> {
  return { previousMain, ...(manager === undefined ? {} : { manager }), ...(repeats && { repeats }) };
}

/**
 * The row of a hole. Processes that put holes do not know the days of history. History would end at a missing hole, so a
 * hole is kept for as long as any entry.
 */
export function holeRow(collection: Collection, rv: number, time: number): Row {
  const ttl = expiresAt(time, lifetimeOf(collection, HISTORY_DAYS.most));
  return { ...journalKey(collection, rv), hole: true, time, ttl };
}

/**
 * The relabel entry: a small row in addition to every journal entry that changed labels. It makes the relabel window
 * cheap to read.
 */
export function relabelRow(collection: Collection, rv: number, draft: EntryDraft, time: number): Row {
  return {
    ...relabelKey(collection, rv),
    name: nameKey(draft.name),
    ...(draft.type === 'DELETED' ? {} : { labels: draft.labels }),
    time,
    ttl: expiresAt(time, TIMING.expiry),
  };
}

/** The entries that are readable now in `from..to` (inclusive), ascending. A missing entry is not decided yet. */
export async function readEntries(
  table: Table,
  collection: Collection,
  from: number,
  to: number,
  reading?: Reading,
): Promise<JournalEntry[]> {
  const keys = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) =>
    journalKey(collection, from + index),
  );
  return (await table.batchGet(keys, undefined, reading))
    .map(parseEntry)
    .sort((left, right) => left.rv - right.rv);
}

/** When the entry at `rv` was written, in ms since the epoch; undefined if there is no entry, or no entry any more. */
export async function readEntryTime(
  table: Table,
  collection: Collection,
  rv: number,
): Promise<number | undefined> {
  const row = await table.get(journalKey(collection, rv));
  return row === undefined ? undefined : Number(row.time);
}
