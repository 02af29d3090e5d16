import type { Collection, ObjectName } from '../json/index.ts';
import { type Clock, type Metrics, type Random, TIMING } from '../platform/index.ts';
import { decodeBody } from './body-codec.ts';
import type { Change, Known, WriteOutcome } from './contract.ts';
import {
  ContentionError,
  OutOfTimeError,
  ThrottledError,
  UnavailableError,
  UndecidedError,
} from './errors.ts';
import { allotVersion } from './head.ts';
import { decide } from './holes.ts';
import { jitteredSleep } from './jittered-sleep.ts';
import type { JournalEntry } from './journal.ts';
import { nameKey, objectKey } from './keys.ts';
import type { LabelPlaces, LabelSlots } from './labels/index.ts';
import { type ObjectState, stateOf } from './object.ts';
import type { Origin } from './origin.ts';
import { hasDependents } from './owners/index.ts';
import type { Anchoring } from './postings/index.ts';
import { newSecret } from './preconditions/index.ts';
import type { Row, Table } from './table.ts';
import { labelKeysOf, planWrite, refuseFullOwner, transactionOf, type WritePlan } from './write-plan.ts';

export interface WriteOptions {
  /** With a deadline: the request's. */
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics?: Metrics | undefined;
  readonly collection: Collection;
  readonly slots: LabelSlots;
  readonly name: ObjectName;
  readonly dryRun: boolean;
  readonly known?: Known | undefined;
  readonly origin?: Origin | undefined;
}

/** Attempts in all, by why the last one failed: a table that is busy or silent was asked patiently each time. */
const ATTEMPTS = { contended: 6, throttled: 3, unanswered: 3 } as const;
/** Before the second attempt, in ms, and doubled before every other: for others to finish, or the table to rest. */
const FIRST_BACKOFF = 40;
const FIRST_REST = 200;

/**
 * One write: read, decide, allot a resourceVersion, commit in one transaction. Tried again when somebody else
 * wrote in between, a reader gave this writer up, or the table did not let it through.
 *
 * @throws {ContentionError} {@link ThrottledError} {@link UnavailableError} {@link OutOfTimeError}
 * {@link TooLargeError} {@link LabelLimitError} and whatever `change` throws: nothing is written.
 * {@link UndecidedError} it may be.
 */
export async function writeObject(options: WriteOptions, change: Change): Promise<WriteOutcome> {
  const { clock, random, collection, name } = options;
  const { deadline } = options.table;
  const what = `${nameKey(name)} in ${collection}`;
  let failure: Failure | undefined;
  for (let attempt = 0; failure === undefined || attempt < ATTEMPTS[failure]; attempt += 1) {
    if (failure !== undefined) {
      options.metrics?.record('WriteRetries', 1);
      const first = failure === 'contended' ? FIRST_BACKOFF : FIRST_REST;
      await jitteredSleep(clock, random.fraction(), first * 2 ** (attempt - 1), deadline);
    }
    if (deadline?.aborted) break;
    const known = attempt === 0 ? options.known : undefined;
    const outcome = await attemptWrite({ ...options, known }, change).catch((error: unknown) => {
      throw error instanceof OutOfTimeError ? failureOf(undefined, what) : error;
    });
    if (typeof outcome !== 'string') return outcome;
    failure = outcome;
  }
  throw failureOf(failure, what);
}

/** Why an attempt, which wrote nothing, is worth another. */
type Failure = 'contended' | 'throttled' | 'unanswered';

function failureOf(failure: Failure | undefined, what: string): Error {
  switch (failure) {
    case 'contended':
      return new ContentionError(`${what} is being written by others`);
    case 'throttled':
      return new ThrottledError(`${what} was not written: the table is asked too much`);
    case 'unanswered':
      return new UnavailableError(`${what} was not written: the table did not answer in time`);
    case undefined:
      return new OutOfTimeError(`${what} was not written: the time was over before`);
    default:
      return failure satisfies never;
  }
}

async function attemptWrite(options: WriteOptions, change: Change): Promise<WriteOutcome | Failure> {
  const { table, clock, collection, slots, name } = options;
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
  const plan = planWrite(collection, name, before, mutation, anchors);
  if (options.dryRun) {
    return { kind: mutation.kind, before, after: stateOf(name, before?.rv ?? 0, mutation.body) };
  }

  // Before there is a resourceVersion: who is told one that is not lower finds the slots of these keys.
  const assigned = slots.assign(table, labelKeysOf(plan));
  const carrier = { collection, name: plan.name, uid: plan.uid };
  const [places, anchoring] = room
    ? await Promise.all([assigned, room.anchoringOf(table, plan.anchors, carrier)])
    : [await assigned];
  // Read before it is gone, and no longer before than `fresh` allows: who names it later finds it gone.
  const [rv, isOwner] = await Promise.all([
    allotVersion(table, collection).catch(unanswered),
    plan.deletes && hasDependents(table, plan.uid),
  ]);
  if (rv === undefined) return 'unanswered';
  if (isOwner) refuseFullOwner(plan);
  if (before !== undefined && before.rv >= rv) {
    throw new Error(
      `${collection} was allotted ${rv} below an object's ${before.rv}: was its head row restored?`,
    );
  }
  // What `change` saw of other objects (its namespace) is at most a grace old when the transaction ends.
  const fresh = clock.now() - began <= TIMING.grace - TIMING.transaction;
  const isNext = mutation.kind !== 'put' || mutation.after === undefined || rv === mutation.after + 1;
  const failure = await commit(options, { plan, rv, places, anchoring, fresh, isOwner, isNext });
  return failure ?? { kind: mutation.kind, before, after: stateOf(name, rv, mutation.body) };
}

/** An allotment without an answer is not repeated, and costs no more than a gap: the next attempt begins anew. */
function unanswered(error: unknown): undefined {
  if (!(error instanceof UnavailableError)) throw error;
}

/** The object's present state. What `change` knows of others it reads after that. */
async function readNow({ table, clock, collection, name }: WriteOptions): Promise<Known> {
  const state = await readObject(table, collection, name);
  return { at: clock.now(), state };
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
  const state = stateOf(name, Number(row.rv), decodeBody(row.body));
  const { owners, reserved, anchors } = row;
  return {
    ...state,
    ...(owners !== undefined && { trackedOwners: JSON.parse(String(owners)) }),
    ...(reserved !== undefined && { reserved: JSON.parse(String(reserved)) }),
    ...(anchors !== undefined && { anchored: JSON.parse(String(anchors)) }),
  };
}

interface Commit {
  readonly plan: WritePlan;
  readonly rv: number;
  readonly places: LabelPlaces;
  readonly anchoring: Anchoring | undefined;
  /** Whether others name the object that is deleted as their owner. */
  readonly isOwner: boolean;
  /** Whether to try at all: a stale attempt only gives its resourceVersion up. */
  readonly fresh: boolean;
  /** Whether nothing has come between what the change was decided from and the change, where that matters. */
  readonly isNext: boolean;
}

/**
 * Undefined when the write at `rv` stands, else why it does not. The journal row at `rv` is the only verdict: on
 * any outcome but a clean success a hole is put there. The put won: nothing was written. It met an entry: that
 * can only be this one.
 */
async function commit(
  options: WriteOptions,
  { plan, rv, places, anchoring, fresh, isOwner, isNext }: Commit,
): Promise<Failure | undefined> {
  const { table, clock, random, collection, origin } = options;
  let failure: Failure = isNext ? 'unanswered' : 'contended';
  if (fresh && isNext) {
    const deadlines = [clock.deadline(TIMING.transaction), table.deadline ?? []].flat();
    const time = clock.now();
    const secret = newSecret(collection, random);
    const commitment = { rv, places, anchoring, time, origin, hasDependents: isOwner, secret };
    const items = transactionOf(collection, plan, commitment);
    const answer = await table.transact(items, AbortSignal.any(deadlines));
    if (answer.outcome === 'committed') return undefined;
    if (answer.throttled === true) {
      failure = 'throttled';
    } else if (answer.outcome === 'cancelled') failure = 'contended';
  }
  const entry = await verdictOn(options, rv);
  return entry.kind === 'change' ? undefined : failure;
}

/** @throws {UndecidedError} not even a last look after the deadline told. */
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
