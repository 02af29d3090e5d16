import {
  type Collection,
  type JsonObject,
  jsonEquals,
  metadataOf,
  type ObjectName,
  objectAt,
} from '../../json/index.ts';
import { CLEANUP_FINALIZER, DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import { findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import {
  FIRST_VERSION,
  type Mutation,
  type ObjectState,
  type Store,
  stateOf,
  UndecidedError,
  type WriteOutcome,
} from '../../store/index.ts';
import { timestamp, trackFields } from '../objects/index.ts';
import type { CustomTypes } from './custom-types.ts';
import { declarationOf } from './declaration-of.ts';
import { storeWith } from './store-with.ts';

/** The condition of a definition that is being deleted, before and during the deletion of its objects. */
const PENDING = {
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};
const IN_PROGRESS = {
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

/**
 * Wraps the store for writes of definitions. As in Kubernetes, a definition is first written as sent. A second write
 * gives it the names that are free in its group, and establishes it. The first write is acknowledged only after the
 * second one. A deleted definition is held by a finalizer until its objects are deleted.
 */
export function definitionStore(given: Store, { clock, types }: NamingContext): Store {
  return storeWith(given, (store) => ({
    write: async (collection, name, change, options) => {
      if (collection !== DEFINITIONS) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined) => {
        const held = heldMutation(current, await change(current), timestamp(clock));
        const declares = held.kind === 'put' && options?.dryRun !== true;
        if (!declares) return held;
        const declaration = declarationOf(held.body, clock.now());
        await store.declare(declaration);
        if (current === undefined) await endHistory(store, name, declaration.collection);
        return held;
      };
      const outcome = await store.write(collection, name, decide, options);
      if (outcome.after !== undefined && options?.dryRun !== true) {
        await whenWritten(giveNames({ store, clock, types }, outcome.after));
      }
      return outcome;
    },
  }));
}

/**
 * Ends the history of a kind that is about to be defined: every change so far is one of a removed definition. If the
 * kind is defined after the head was read, another request has been faster, and changes up to there may be its own.
 */
async function endHistory(store: Store, name: ObjectName, collection: Collection): Promise<void> {
  const head = await store.head(collection);
  if (head === FIRST_VERSION || (await store.get(DEFINITIONS, name)) !== undefined) return;
  await store.raise(collection, 'floor', head);
}

/** @throws {UndecidedError} for any error: the definition is written, and its names are decided later */
async function whenWritten(naming: Promise<unknown>): Promise<void> {
  try {
    await naming;
  } catch (cause) {
    const why =
      'the definition was written, but the server does not know yet whether its names are accepted; read its status';
    throw new UndecidedError(why, { cause });
  }
}

export interface NamingContext {
  readonly clock: Clock;
  /** The cache that has the names of the other definitions. */
  readonly types: CustomTypes;
}

export interface NamingOptions extends NamingContext {
  readonly store: Store;
}

/**
 * Gives a definition its requested names that are free. Writes nothing if it already has all names, or if none is
 * free.
 */
export async function giveNames(
  { store, clock, types }: NamingOptions,
  { name, uid, body: written }: ObjectState,
): Promise<WriteOutcome | undefined> {
  const { awaitsNames } = await import('../../kubernetes/schemas/index.ts');
  if (!awaitsNames(written)) return undefined;
  return store.write(DEFINITIONS, name, async (current) => {
    if (current?.uid !== uid) return { kind: 'none' };
    const { body } = current;
    return tracked({ kind: 'put', body }, await named({ store, clock, types }, body), clock);
  });
}

/**
 * Decides the names of a definition. Names are unique, so the decision needs all definitions. The mutation must be
 * the next change of that collection after they were read (`after`).
 */
async function named({ store, clock, types }: NamingOptions, body: JsonObject): Promise<Mutation> {
  const { acceptNames } = await import('../../kubernetes/schemas/index.ts');
  const { rv, namings } = await types.namings(store);
  const others = namings.filter(
    (other) => groupOf(other) === groupOf(body) && metadataOf(other).name !== metadataOf(body).name,
  );
  const status = acceptNames(body, others, timestamp(clock)) as unknown as JsonObject;
  const isSame = jsonEquals(status, body.status ?? {});
  return isSame ? { kind: 'none' } : { kind: 'put', body: { ...body, status }, after: rv };
}

/** Sets the condition that the definition's objects are being deleted. */
export async function deletionTold(current: ObjectState, clock: Clock): Promise<Mutation> {
  const { body } = current;
  const { conditions, ...status } = objectAt(body.status);
  const told = (Array.isArray(conditions) ? conditions : []).map((condition) =>
    objectAt(condition).reason === PENDING.reason ? { ...objectAt(condition), ...IN_PROGRESS } : condition,
  );
  if (jsonEquals(told, conditions ?? [])) return { kind: 'none' };
  const mutation: Mutation = { kind: 'put', body: { ...body, status: { ...status, conditions: told } } };
  return tracked({ kind: 'put', body }, mutation, clock);
}

/** Records the server as the manager of the status fields that it wrote. */
async function tracked(sent: Mutation, mutation: Mutation, clock: Clock): Promise<Mutation> {
  const type = findResourceType('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  const isOwn = sent.kind !== 'none' && mutation.kind === 'put' && sent.body.status !== mutation.body.status;
  if (type === undefined || !isOwn) return mutation;
  const route = { type, verb: 'update', namespace: '', name: '', subresource: 'status' } as const;
  const tracking = await trackFields({ route, manager: 'kube-apiserver', clock });
  const before = { ...mutation.body, status: sent.body.status ?? {} };
  const owned = tracking.changed(stateOf({ namespace: '', name: '' }, 0, before), mutation);
  return owned.kind === 'none' ? mutation : { ...mutation, ...owned };
}

function groupOf({ spec }: JsonObject): JsonObject[string] | undefined {
  return objectAt(spec).group;
}

/** Turns the deletion of a definition into a mark with the finalizer that holds it until its objects are deleted. */
function heldMutation(current: ObjectState | undefined, mutation: Mutation, now: string): Mutation {
  if (current === undefined || mutation.kind === 'none') return mutation;
  const isMarked = metadataOf(current.body).deletionTimestamp !== undefined;
  const { deletionTimestamp = mutation.kind === 'delete' ? now : undefined } = metadataOf(mutation.body);
  if (isMarked || deletionTimestamp === undefined) return mutation;
  const { body } = mutation;
  const { finalizers, deletionGracePeriodSeconds: _none, ...metadata } = metadataOf(body);
  const { generation = 1 } = metadataOf(current.body);
  const held = [...(Array.isArray(finalizers) ? finalizers : []), CLEANUP_FINALIZER];
  return {
    kind: 'put',
    body: {
      ...body,
      metadata: {
        ...metadata,
        generation,
        deletionTimestamp,
        finalizers: held,
      },
      status: terminating(objectAt(body.status), now),
    },
  };
}

function terminating(status: JsonObject, now: string): JsonObject {
  const { conditions } = status;
  const pending = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    ...PENDING,
  };
  return { ...status, conditions: [...(Array.isArray(conditions) ? conditions : []), pending] };
}
