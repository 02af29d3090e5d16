import type { Collection, ObjectName } from '../json/index.ts';
import { type Clock, type Metrics, type Random, TIMING } from '../platform/index.ts';
import type { Labels } from '../selectors/index.ts';
import type { WriteMark } from './activity/index.ts';
import { wholeRow } from './bodies-apart.ts';
import { decodeBody } from './body/index.ts';
import type { BodyPlaces, DividedBodies } from './chunks/index.ts';
import type { Change, Committed, Known, WriteOutcome } from './contract.ts';
import {
  ContentionError,
  OutOfTimeError,
  ThrottledError,
  UnavailableError,
  UndecidedError,
} from './errors.ts';
import { type Allotment, allotVersion } from './head.ts';
import { decide } from './holes.ts';
import { jitteredSleep } from './jittered-sleep.ts';
import { type JournalEntry, lifetimeOf } from './journal.ts';
import { nameKey, objectKey } from './keys.ts';
import type { LabelPlaces, LabelSlots } from './labels/index.ts';
import { type BodyApart, type ObjectState, stateOf, storedState } from './object.ts';
import type { Origin } from './origin.ts';
import { hasDependents } from './owners/index.ts';
import type { Anchoring } from './postings/index.ts';
import { newSecret } from './preconditions/index.ts';
import { CHUNKS_SCHEMA, KNOWN_SCHEMAS } from './schema/index.ts';
import type { Row, Table } from './table.ts';
import {
  bodiesOf,
  chunksDue,
  labelKeysOf,
  planWrite,
  refuseFullOwner,
  repeating,
  transactionOf,
  type WritePlan,
} from './write-plan.ts';

export interface WriteOptions {
  /** The request's table, with its deadline. */
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics?: Metrics | undefined;
  readonly collection: Collection;
  readonly slots: LabelSlots;
  readonly name: ObjectName;
  readonly dryRun: boolean;
  readonly known?: Known | undefined;
  readonly repeats?: ObjectState | undefined;
  readonly origin?: Origin | undefined;
  readonly historyDays?: number | undefined;
  readonly mostRowBytes?: number | undefined;
  readonly committed?: Committed | undefined;
  readonly mark: WriteMark;
}

/**
 * The maximum number of attempts, by why the last one failed. If the table throttled or did not answer, each attempt
 * has already retried inside.
 */
const ATTEMPTS = { contended: 6, throttled: 3, unanswered: 3 } as const;
/**
 * The pauses before the second attempt, in ms: after contention, so that other writers finish, and after a failure of
 * the table, so that it recovers. Each later pause is twice as long.
 */
const FIRST_BACKOFF = 40;
const FIRST_REST = 200;

/**
 * One write: read, decide, allot a resourceVersion, commit in one transaction. It is retried in these cases:
 *
 * - Another writer changed the object in between.
 * - A reader put a hole at its resourceVersion.
 * - The table did not accept the transaction.
 *
 * @throws {ContentionError} {@link ThrottledError} {@link UnavailableError} {@link OutOfTimeError} {@link
 * TooLargeError} {@link LabelLimitError} and whatever `change` throws: nothing is written.
 * @throws {UndecidedError} the write may have been applied.
 */
export async function writeObject(options: WriteOptions, change: Change): Promise<WriteOutcome> {
  const { clock, random, collection, name } = options;
  const { deadline } = options.table;
  const what = `${nameKey(name)} in ${collection}`;
  const divided: DividedBodies = new Map();
  let failure: Failure | undefined;
  for (let attempt = 0; failure === undefined || attempt < ATTEMPTS[failure]; attempt += 1) {
    if (failure !== undefined) {
      options.metrics?.record('WriteRetries', 1);
      const first = failure === 'contended' ? FIRST_BACKOFF : FIRST_REST;
      await jitteredSleep(clock, random.fraction(), first * 2 ** (attempt - 1), deadline);
    }
    if (deadline?.aborted) break;
    const known = attempt === 0 ? options.known : undefined;
    const outcome = await attemptWrite({ ...options, known, divided }, change).catch((error: unknown) => {
      throw error instanceof OutOfTimeError ? failureOf(undefined, what) : error;
    });
    if (typeof outcome !== 'string') return outcome;
    failure = outcome;
  }
  throw failureOf(failure, what);
}

/** Why an attempt wrote nothing and is worth a retry. */
type Failure = 'contended' | 'throttled' | 'unanswered';

function failureOf(failure: Failure | undefined, what: string): Error {
  switch (failure) {
    case 'contended':
      return new ContentionError(`${what} is being written by others`);
    case 'throttled':
      return new ThrottledError(`${what} was not written: the table throttled the request`);
    case 'unanswered':
      return new UnavailableError(`${what} was not written: the table did not answer in time`);
    case undefined:
      return new OutOfTimeError(`${what} was not written: the request ran out of time`);
    default:
      return failure satisfies never;
  }
}

interface Attempt extends WriteOptions {
  readonly divided: DividedBodies;
}

async function attemptWrite(options: Attempt, change: Change): Promise<WriteOutcome | Failure> {
  const { table, clock, random, collection, slots, name, divided, mostRowBytes: mostBytes } = options;
  const { state: before, at: began } = options.known ?? (await readNow(options));
  const mutation = await change(before);
  if (mutation.kind === 'none') return { kind: 'none', before, after: before };
  const { selects } = mutation.kind === 'put' ? mutation : { selects: before?.anchored && [] };
  // Writes of objects without selectors do not load this code.
  const room = selects && (await import('./postings/index.ts'));
  const anchors = selects && room?.planAnchors(before?.anchored ?? [], selects);
  if (mutation.kind === 'put' && mutation.reanchors && anchors?.items === 0) {
    return { kind: 'none', before, after: before };
  }
  const schema = table.rowSchema?.() ?? KNOWN_SCHEMAS.newest;
  const isInline = schema < CHUNKS_SCHEMA;
  const planned = planWrite(collection, name, { before, mutation, anchors, schema });
  const plan = repeating(planned, options.repeats);
  const placement = { divided: isInline ? undefined : divided, random, now: clock.now(), mostBytes };
  const bodies = await bodiesOf(collection, plan, placement);
  if (options.dryRun) {
    return { kind: mutation.kind, before, after: stateOf(name, before?.rv ?? 0, mutation.body) };
  }

  // A transaction that is not sent yet ends within a request's time.
  const stay = chunksDue(0, lifetimeOf(collection, options.historyDays));
  await bodies.store?.(table, clock.now() + stay, stay);
  // Slots are assigned before the resourceVersion is allotted. So a reader at this resourceVersion or a later one
  // finds the slots of these keys.
  const assigned = slots.assign(table, labelKeysOf(plan));
  const carrier = { collection, name: plan.name, uid: plan.uid };
  const [places, anchoring] = room
    ? await Promise.all([assigned, room.anchoringOf(table, plan.anchors, carrier)])
    : [await assigned];
  // Dependents are read before the delete, and `fresh` limits the time between the two. An object that names this owner
  // later finds it deleted.
  const [allotment, isOwner] = await Promise.all([
    allotMarked(options).catch(unanswered),
    plan.deletes && hasDependents(table, plan.uid),
  ]);
  if (allotment === undefined) return 'unanswered';
  const { rv, isFollowed } = allotment;
  if (isOwner) refuseFullOwner(plan);
  if (before !== undefined && before.rv >= rv) {
    throw new Error(
      `${collection} was allotted ${rv} below an object's ${before.rv}: was its head row restored?`,
    );
  }
  // The data about other objects (the namespace) that `change` read is at most a grace old when the transaction ends.
  const fresh = clock.now() - began <= TIMING.grace - TIMING.transaction;
  const isNext = mutation.kind !== 'put' || mutation.after === undefined || rv === mutation.after + 1;
  const failure = await commit(options, { plan, bodies, rv, places, anchoring, fresh, isOwner, isNext });
  return failure ?? { kind: mutation.kind, before, after: stateOf(name, rv, mutation.body), isFollowed };
}

/** Allots a resourceVersion while the table has this process's mark, so that the tick looks for the write. */
async function allotMarked({ table, collection, mark }: WriteOptions): Promise<Allotment> {
  const [allotment] = await Promise.all([allotVersion(table, collection), mark(table)]);
  return allotment;
}

/** An allotment without an answer is not retried. It costs no more than a gap: the next attempt allots again. */
function unanswered(error: unknown): undefined {
  if (!(error instanceof UnavailableError)) throw error;
}

/** The object's current state. `change` reads its data about other objects after this. */
async function readNow({ table, clock, collection, name }: WriteOptions): Promise<Known> {
  const state = await readObject(table, collection, name);
  return { at: clock.now(), state };
}

/** The object's current state, read consistently. */
export async function readObject(
  table: Table,
  collection: Collection,
  name: ObjectName,
): Promise<ObjectState | undefined> {
  const row = await table.get(objectKey(collection, nameKey(name)));
  return row === undefined ? undefined : parseObjectRow(name, await wholeRow(table, row));
}

/** The state of an object's row whose body is inline ({@link wholeRow}). */
export function parseObjectRow(name: ObjectName, row: Row): ObjectState {
  const state = stateOf(name, Number(row.rv), decodeBody(row.body));
  return { ...state, ...ofRowOnly(row) };
}

/** The same, but the body is decoded when it is first used. `labels` are those of the row. */
export function storedObject(name: ObjectName, row: Row, labels: Labels): ObjectState {
  const known = { name, rv: Number(row.rv), uid: String(row.uid), labels, ...ofRowOnly(row) };
  return storedState(known, row.body);
}

function ofRowOnly(row: Row) {
  const { mainRv, owners, reserved, anchors, chunks } = row;
  return {
    ...(chunks !== undefined && { apart: apartIn(row) }),
    ...(mainRv !== undefined && { mainRv: Number(mainRv) }),
    ...(owners !== undefined && { trackedOwners: JSON.parse(String(owners)) }),
    ...(reserved !== undefined && { reserved: JSON.parse(String(reserved)) }),
    ...(anchors !== undefined && { anchored: JSON.parse(String(anchors)) }),
  };
}

function apartIn({ chunks, chunksSince, former, formerChunks, formerRv }: Row): BodyApart {
  const own = { chunks: String(chunks), since: Number(chunksSince) };
  if (formerRv === undefined) return own;
  return {
    ...own,
    former: {
      ...(former !== undefined && { body: former as string | Uint8Array }),
      ...(formerChunks !== undefined && { chunks: String(formerChunks) }),
      rv: Number(formerRv),
    },
  };
}

interface Commit {
  readonly plan: WritePlan;
  readonly bodies: BodyPlaces;
  readonly rv: number;
  readonly places: LabelPlaces;
  readonly anchoring: Anchoring | undefined;
  /** Whether other objects name the deleted object as their owner. */
  readonly isOwner: boolean;
  /** Whether to send the transaction. A stale attempt only puts a hole at its resourceVersion. */
  readonly fresh: boolean;
  /**
   * Whether `rv` is the very next one after the state that the change was decided from; true if the change does not
   * require that.
   */
  readonly isNext: boolean;
}

/**
 * Returns undefined if the write at `rv` took effect, else why it did not. Only the journal row at `rv` decides.
 * Unless the transaction clearly succeeded, the writer puts a hole at `rv`:
 *
 * 1. If the put succeeds, nothing was written.
 * 2. If the put finds a change there, it can only be this write's, and the write took effect.
 */
async function commit(
  options: WriteOptions,
  { plan, bodies, rv, places, anchoring, fresh, isOwner, isNext }: Commit,
): Promise<Failure | undefined> {
  const { table, clock, random, collection, origin, historyDays, committed } = options;
  let failure: Failure = isNext ? 'unanswered' : 'contended';
  if (fresh && isNext) {
    const deadlines = [clock.deadline(TIMING.transaction), table.deadline ?? []].flat();
    const time = clock.now();
    const secret = newSecret(collection, random);
    const schema = table.rowSchema?.() ?? KNOWN_SCHEMAS.newest;
    const lifetime = lifetimeOf(collection, historyDays);
    const commitment = {
      rv,
      bodies,
      places,
      anchoring,
      time,
      origin,
      hasDependents: isOwner,
      secret,
      schema,
      lifetime,
    };
    const items = transactionOf(collection, plan, commitment);
    const answer = await table.transact(items, AbortSignal.any(deadlines));
    if (answer.outcome === 'committed') {
      committed?.(collection, items[1]);
      return undefined;
    }
    if (answer.throttled === true) {
      failure = 'throttled';
    } else if (answer.outcome === 'cancelled') failure = 'contended';
  }
  const entry = await verdictOn(options, rv);
  return entry.kind === 'change' ? undefined : failure;
}

/**
 * Resolves to the journal entry at `rv`.
 *
 * @throws {UndecidedError} not even a last try after the deadline decided it.
 */
async function verdictOn(
  { table, clock, collection, name }: WriteOptions,
  rv: number,
): Promise<JournalEntry> {
  const asking = { table, clock, collection, rv };
  const { deadline = clock.deadline(TIMING.request) } = table;
  const entry =
    (await decide({ ...asking, signal: deadline })) ??
    (await decide({ ...asking, signal: clock.deadline(TIMING.verdict) }));
  if (entry !== undefined) return entry;
  throw new UndecidedError(
    `whether ${nameKey(name)} in ${collection} was written is not known: it may have been applied; read it before trying again`,
  );
}
