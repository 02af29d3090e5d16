import { type Clock, type Random, TIMING } from '../platform/index.ts';
import { decodeBody, encodedBytes } from './body-codec.ts';
import { decide } from './holes.ts';
import { draftEntry, type EntryDraft, entryRow, expiresAt, relabelRow } from './journal.ts';
import type { JsonObject } from './json.ts';
import {
  byLabelKeyPartition,
  byLabelPartition,
  labelEntryKey,
  nameKey,
  objectKey,
  tombstoneKey,
} from './keys.ts';
import { type Collection, type ObjectName, type ObjectState, stateOf } from './object.ts';
import type { Change, Mutation, WriteOutcome } from './store.ts';
import type { Row, Table, TransactItem } from './table.ts';
import { allotVersion, jitteredSleep } from './watermarks.ts';

/** Somebody else wrote the object each time; worth another try. Answered as 429 with Retry-After. */
export class ContentionError extends Error {
  override name = 'ContentionError';
}

/** The request's deadline came before the write's outcome was known. Answered as 504, never as 409. */
export class UndecidedError extends Error {
  override name = 'UndecidedError';
}

/** The object cannot be stored. Answered as 413. */
export class TooLargeError extends Error {
  override name = 'TooLargeError';
  readonly bytes: number;
  readonly limit: number;

  constructor(what: string, bytes: number, limit: number) {
    super(`${what}: ${bytes} bytes, the limit is ${limit}`);
    this.bytes = bytes;
    this.limit = limit;
  }
}

/** One transaction cannot index the object's labels. Answered as 422 on `field`. */
export class LabelLimitError extends Error {
  override name = 'LabelLimitError';
  readonly field = 'metadata.labels';
  readonly detail: string;

  constructor(detail: string) {
    super(detail);
    this.detail = detail;
  }
}

export interface WriteOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly collection: Collection;
  readonly name: ObjectName;
  readonly dryRun: boolean;
}

const ATTEMPTS = 6;
const FIRST_BACKOFF = 20;
/** An event has to fit an SQS message (1 MiB) with room for its attributes. */
const MOST_BODY_BYTES = 768 * 1024;
/** An item has to fit 400 KB, keys and attribute names included. */
const MOST_ENCODED_BYTES = 390_000;
/** 100 actions a transaction, less object, journal entry, relabel entry and tombstone. */
const MOST_LABEL_ENTRIES = 96;
/** Each label's entry carries all labels; a transaction carries 4 MB. */
const MOST_LABEL_ENTRY_BYTES = 2_000_000;

/**
 * One write: read, decide, allot a resourceVersion, commit in one transaction. Tried again when somebody else
 * wrote in between or a reader gave this writer up.
 *
 * @throws {ContentionError} {@link UndecidedError} {@link TooLargeError} {@link LabelLimitError} and whatever
 * `change` throws; nothing is written then, except that an undecided write may still stand.
 */
export async function writeObject(options: WriteOptions, change: Change): Promise<WriteOutcome> {
  const { table, clock, random, collection, name } = options;
  const deadline = clock.deadline(TIMING.request);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await jitteredSleep(clock, random.fraction(), FIRST_BACKOFF * 2 ** attempt, deadline);
    const began = clock.now();
    const before = await readObject(table, collection, name);
    const mutation = await change(before);
    if (mutation.kind === 'none') return { kind: 'none', before, after: before };
    const plan = planWrite(collection, name, before, mutation);
    if (options.dryRun)
      return { kind: mutation.kind, before, after: stateOf(name, before?.rv ?? 0, mutation.body) };

    const rv = await allotVersion(table, collection);
    if (before !== undefined && before.rv >= rv) {
      throw new Error(
        `${collection} was allotted ${rv} below an object's ${before.rv}: was its head row restored?`,
      );
    }
    // What `change` saw of other objects (its namespace) is at most a grace old when the transaction ends.
    const fresh = clock.now() - began <= TIMING.grace - TIMING.transaction;
    if (await commit(options, { plan, rv, fresh, deadline })) {
      return { kind: mutation.kind, before, after: stateOf(name, rv, mutation.body) };
    }
    if (deadline.aborted) break;
  }
  throw new ContentionError(`${nameKey(name)} in ${collection} is being written by others`);
}

/** The object's present state, read consistently. */
export async function readObject(
  table: Table,
  collection: Collection,
  name: ObjectName,
): Promise<ObjectState | undefined> {
  const row = await table.get(objectKey(collection, nameKey(name)));
  return row === undefined ? undefined : parseObjectRow(name, row);
}

export function parseObjectRow(name: ObjectName, row: Row): ObjectState {
  return stateOf(name, Number(row.rv), decodeBody(row.body));
}

interface Commit {
  readonly plan: WritePlan;
  readonly rv: number;
  /** Whether to try at all: a stale attempt only gives its resourceVersion up. */
  readonly fresh: boolean;
  readonly deadline: AbortSignal;
}

/**
 * Whether the write at `rv` stands. The journal row at `rv` is the only verdict: on any outcome but a clean
 * success a hole is put there. The put won: nothing was written. It met an entry: that can only be this one.
 */
async function commit(options: WriteOptions, { plan, rv, fresh, deadline }: Commit): Promise<boolean> {
  const { table, clock, collection } = options;
  if (fresh) {
    const items = transactionOf(collection, plan, rv, clock.now());
    const { outcome } = await table.transact(items, clock.deadline(TIMING.transaction));
    if (outcome === 'committed') return true;
  }
  const entry = await decide({ table, clock, collection, rv, signal: deadline });
  if (entry === undefined) throw new UndecidedError(`the outcome of ${collection}@${rv} is not known yet`);
  return entry.kind === 'change';
}

/** Everything a write puts and deletes, before its resourceVersion and time are known. */
interface WritePlan {
  readonly name: string;
  readonly before: ObjectState | undefined;
  readonly deletes: boolean;
  readonly uid: string;
  readonly entry: EntryDraft;
  /** Labels whose entries are put, and label keys whose entries go. None when labels did not change. */
  readonly indexed: readonly (readonly [key: string, value: string])[];
  readonly unindexed: readonly string[];
}

function planWrite(
  collection: Collection,
  name: ObjectName,
  before: ObjectState | undefined,
  mutation: Exclude<Mutation, { kind: 'none' }>,
): WritePlan {
  const deletes = mutation.kind === 'delete';
  const { labels, uid } = stateOf(name, 0, mutation.body);
  const entry = draftEntry(name, before, { body: mutation.body, deletes });
  // A delete may add a little to what was let in, and has to be possible: an item leaves it the room.
  if (!deletes) refuseLarge(mutation.body, entry);
  const oldKeys = Object.keys(before?.labels ?? {});
  const plan = {
    name: nameKey(name),
    before,
    deletes,
    uid,
    entry,
    indexed: entry.relabels && !deletes ? Object.entries(labels) : [],
    unindexed: entry.relabels ? oldKeys.filter((key) => deletes || !Object.hasOwn(labels, key)) : [],
  };
  refuseManyLabels(collection, plan);
  return plan;
}

function refuseLarge(body: JsonObject, entry: EntryDraft): void {
  const raw = eventBytes(body);
  if (raw > MOST_BODY_BYTES) throw new TooLargeError('the object', raw, MOST_BODY_BYTES);
  const bytes = encodedBytes(entry.body) + encodedBytes(entry.previous) + Buffer.byteLength(entry.labels);
  if (bytes > MOST_ENCODED_BYTES) {
    throw new TooLargeError('the compressed object and what it changes', bytes, MOST_ENCODED_BYTES);
  }
}

/** As an event spells it, where each half of a surrogate pair is escaped: 6 bytes instead of 2. */
function eventBytes(body: JsonObject): number {
  const text = JSON.stringify(body);
  return Buffer.byteLength(text) + (text.match(/[\uD800-\uDFFF]/g)?.length ?? 0) * 4;
}

function refuseManyLabels(collection: Collection, plan: WritePlan): void {
  const entries = plan.indexed.length + plan.unindexed.length;
  if (entries > MOST_LABEL_ENTRIES && !plan.deletes) {
    throw new LabelLimitError(
      `one write can index ${MOST_LABEL_ENTRIES} labels, old and new together, and this one has ${entries}`,
    );
  }
  const entryBytes =
    Buffer.byteLength(plan.entry.labels) + plan.name.length * 2 + collection.length * 3 + 600;
  const bytes = plan.indexed.length * entryBytes;
  if (bytes > MOST_LABEL_ENTRY_BYTES) {
    throw new LabelLimitError(
      `each label is indexed with all labels, and that makes ${bytes} bytes; the limit is ${MOST_LABEL_ENTRY_BYTES}`,
    );
  }
}

/**
 *   object        put or deleted, if it is still what was read
 *   tombstone     a delete leaves one; a create needs none that is newer, or a create that began before a
 *                 create and delete by others would commit below them
 *   journal entry put, if nothing is there
 *   relabel entry and label entries, if labels changed: every label's entry, as each carries all labels
 */
function transactionOf(collection: Collection, plan: WritePlan, rv: number, time: number): TransactItem[] {
  const { name, before, entry } = plan;
  const key = objectKey(collection, name);
  const unchanged =
    before === undefined ? [{ missing: 'pk' }] : [{ attribute: 'rv', is: '=', value: before.rv } as const];
  const object: TransactItem = plan.deletes
    ? { delete: key, condition: unchanged }
    : { put: { ...key, rv, uid: plan.uid, labels: entry.labels, body: entry.body }, condition: unchanged };
  const journal: TransactItem = {
    put: entryRow(collection, rv, entry, time),
    condition: [{ missing: 'pk' }],
  };
  const relabel: TransactItem[] = entry.relabels ? [{ put: relabelRow(collection, rv, entry, time) }] : [];
  return [
    object,
    journal,
    ...relabel,
    ...tombstoneItems(collection, plan, rv, time),
    ...plan.indexed.map((label) => ({ put: labelEntryRow(collection, plan, label) })),
    ...plan.unindexed.map((label) => ({ delete: labelEntryKey(collection, name, label) })),
  ];
}

function tombstoneItems(collection: Collection, plan: WritePlan, rv: number, time: number): TransactItem[] {
  const key = tombstoneKey(collection, plan.name);
  if (plan.deletes) return [{ put: { ...key, rv, ttl: expiresAt(time, TIMING.tombstone) } }];
  if (plan.before !== undefined) return [];
  return [{ check: key, condition: [{ any: [{ missing: 'pk' }, { attribute: 'rv', is: '<', value: rv }] }] }];
}

function labelEntryRow(
  collection: Collection,
  plan: WritePlan,
  [key, value]: readonly [string, string],
): Row {
  return {
    ...labelEntryKey(collection, plan.name, key),
    name: plan.name,
    labels: plan.entry.labels,
    byLabel: byLabelPartition(collection, key, value),
    byLabelKey: byLabelKeyPartition(collection, key),
  };
}
