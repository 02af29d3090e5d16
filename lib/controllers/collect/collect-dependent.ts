import { isTerminating } from '../../coordination/index.ts';
import { type JsonObject, metadataOf, objectsIn } from '../../json/index.ts';
import { removalOf } from '../../server/index.ts';
import {
  type Dependent,
  dependentsOf,
  hasDependents,
  type Mutation,
  type ObjectState,
  type OwnerReference,
  ownerReferencesOf,
  sweeps,
  type WriteOutcome,
} from '../../store/index.ts';
import type { CollectOptions } from './collect-options.ts';
import { tellOfInvalidOwner } from './owner-event.ts';
import type { OwnerVerdicts, Verdict } from './owner-verdicts.ts';

type Named = Pick<Dependent, 'collection' | 'name'>;

/**
 * Deletes or edits an object according to the state of its owners. If every owner is gone or waits for the object,
 * the object is deleted. Else it stays, and loses the references to those owners. Untracked references count as
 * owners that exist.
 */
export async function collectDependent(
  options: CollectOptions,
  dependent: Named,
  verdicts: OwnerVerdicts,
): Promise<void> {
  const elsewhere = new Map<string, OwnerReference>();
  const change = async (current: ObjectState | undefined): Promise<Mutation> => {
    if (current === undefined || isTerminating(current)) return { kind: 'none' };
    const judged = await judge(current, verdicts);
    for (const { reference, verdict } of judged) {
      if (verdict === 'elsewhere') elsewhere.set(reference.uid, reference);
    }
    return fateOf(options, dependent, { current, judged });
  };
  const outcome = await writeAndTell(options, dependent, change);
  const { before } = outcome;
  if (before === undefined) return;
  for (const reference of elsewhere.values()) {
    await tellOfInvalidOwner(options, { ...dependent, uid: before.uid, reference });
  }
}

/** Removes the reference to one owner from an object, which stays. */
export async function orphanDependent(options: CollectOptions, dependent: Named, uid: string): Promise<void> {
  await writeAndTell(options, dependent, (current) => {
    const isNamed = ownerReferencesOf(current?.body ?? {}).some((reference) => reference.uid === uid);
    if (current === undefined || !isNamed) return { kind: 'none' };
    return { kind: 'put', body: withoutOwners(current.body, [uid]) };
  });
}

/** Writes an object, and sends dispatch a hint of it. */
export async function writeAndTell(
  { store, hints }: CollectOptions,
  { collection, name }: Named,
  change: (current: ObjectState | undefined) => Mutation | Promise<Mutation>,
): Promise<WriteOutcome> {
  const outcome = await store.write(collection, name, change);
  if (outcome.kind !== 'none' && outcome.after !== undefined) {
    await hints.announce(collection, outcome.after.rv);
  }
  return outcome;
}

interface Judged {
  readonly reference: OwnerReference;
  readonly verdict: Verdict;
}

function judge(current: ObjectState, verdicts: OwnerVerdicts): Promise<Judged[]> {
  const tracked = new Set(current.trackedOwners);
  const references = ownerReferencesOf(current.body);
  return Promise.all(
    references.map(async (reference) => ({
      reference,
      verdict: tracked.has(reference.uid) ? await verdicts.of(reference, current.name.namespace) : 'there',
    })),
  );
}

interface Case {
  readonly current: ObjectState;
  readonly judged: readonly Judged[];
}

async function fateOf(
  options: CollectOptions,
  { collection }: Named,
  { current, judged }: Case,
): Promise<Mutation> {
  const left = judged.filter(({ verdict }) => verdict === 'gone' || verdict === 'waiting');
  if (left.length === 0) return { kind: 'none' };
  if (left.length < judged.length) {
    const uids = left.map(({ reference }) => reference.uid);
    return { kind: 'put', body: withoutOwners(current.body, uids) };
  }
  const isWaitedFor = left.some(({ verdict }) => verdict === 'waiting');
  const foreground = isWaitedFor && (await hasDependents(options.table, current.uid));
  const body = foreground && (await isInCircle(options, current)) ? unblocked(current.body) : current.body;
  return removalOf(body, { collection, clock: options.clock, foreground });
}

/**
 * Whether one of the object's own dependents waits for it in turn. Then one of them must stop blocking, or both wait
 * for ever.
 */
async function isInCircle({ table, store }: CollectOptions, { uid }: ObjectState): Promise<boolean> {
  for await (const page of dependentsOf(table, uid)) {
    for (const { collection, name } of page) {
      const state = await store.get(collection, name);
      if (state !== undefined && sweeps(state.body) === 'foreground') return true;
    }
  }
  return false;
}

function withoutOwners(body: JsonObject, uids: readonly string[]): JsonObject {
  const { ownerReferences, ...metadata } = metadataOf(body);
  const left = objectsIn(ownerReferences).filter(({ uid }) => !uids.includes(String(uid)));
  return { ...body, metadata: left.length === 0 ? metadata : { ...metadata, ownerReferences: left } };
}

function unblocked(body: JsonObject): JsonObject {
  const metadata = metadataOf(body);
  const ownerReferences = objectsIn(metadata.ownerReferences).map((reference) => ({
    ...reference,
    blockOwnerDeletion: false,
  }));
  return { ...body, metadata: { ...metadata, ownerReferences } };
}
