import type { Following, ReconcileMessage } from '../../coordination/index.ts';
import { type GoOnOptions, goOn, leastPosition } from '../../delivery/index.ts';
import { type Collection, collectionOf, type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { CLEANUP_FINALIZER, DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import { TIMING } from '../../platform/index.ts';
import type { DefinitionStatuses } from '../../server/index.ts';
import type { Mutation, ObjectState, Table } from '../../store/index.ts';
import { type EmptyOptions, emptyCollection } from './empty-collection.ts';

export interface DefinitionOptions extends GoOnOptions, Following, Omit<EmptyOptions, 'over'> {
  readonly table: Table;
  readonly definitions: DefinitionStatuses;
  /** How long one message deletes objects, in ms; by default {@link TIMING.emptying}. */
  readonly emptying?: number | undefined;
}

type DefinitionMessage = Extract<ReconcileMessage, { kind: 'definition' }>;

/**
 * How far the deletion of a definition came. `cut`: its time was over. `held`: finalizers or dispatch hold it, and
 * `tick` sends another message.
 */
type Removed = 'done' | 'cut' | 'held';

/** How long to wait for finalizers of the last objects and for dispatch, in ms. */
const PATIENCE = 30_000;
/** The wait while no object is removed, in ms. So a stuck definition takes only a few seconds of each minute. */
const STUCK = 5_000;
const PAUSE = 500;

/**
 * Deletes the objects of a definition that is being deleted, and then releases the definition. The change of a
 * definition may free names that other definitions wait for, so names are settled afterwards. Where there are more
 * objects than one invocation can delete, it sends a message to itself.
 *
 * Every step can be repeated after a crash:
 *
 * 1. A write that was decided before the definition was marked commits within {@link TIMING.definitionLook} and a
 *    grace. Objects that exist after that are all that will ever exist.
 * 2. When dispatch has sent all changes, the journal is compacted up to its end.
 * 3. Watches and pages of the deleted kind are then answered with 410, also where a new kind has the same name.
 */
export async function reconcileDefinition(
  options: DefinitionOptions,
  message: DefinitionMessage,
): Promise<void> {
  const { store, definitions } = options;
  const definition = await store.get(DEFINITIONS, { namespace: '', name: message.name });
  const isGoing = definition !== undefined && isBeingCleaned(definition.body);
  const how = isGoing ? await remove(options, definition) : 'done';
  if (how === 'cut') return goOn(options, message);
  if (how === 'done') await definitions.settleNames(store);
}

/** Whether a definition is being deleted and waits for its objects to be deleted. */
export function isBeingCleaned(body: JsonObject): boolean {
  const { deletionTimestamp, finalizers } = metadataOf(body);
  return (
    deletionTimestamp !== undefined && Array.isArray(finalizers) && finalizers.includes(CLEANUP_FINALIZER)
  );
}

/** The collection of a definition's objects. */
export function collectionOfDefinition(body: JsonObject): Collection {
  const { group, names } = objectAt(body.spec);
  return collectionOf(String(group), String(objectAt(names).plural));
}

async function remove(given: DefinitionOptions, definition: ObjectState): Promise<Removed> {
  const { store, clock, hints, definitions, emptying = TIMING.emptying } = given;
  const options = { ...given, over: clock.deadline(emptying) };
  const collection = collectionOfDefinition(definition.body);
  await definitions.tellDeletion(store, definition);
  if ((await emptyCollection(options, collection)).isCut) return 'cut';
  await clock.sleep(TIMING.definitionLook + TIMING.grace);
  const end = await emptied(options, collection);
  if (typeof end === 'string') return end;
  await store.raise(collection, 'settled', end);
  await store.raise(collection, 'compacted', end);
  const { kind, after } = await store.write(DEFINITIONS, definition.name, (current) =>
    current?.uid === definition.uid ? release(current.body) : { kind: 'none' },
  );
  if (kind !== 'none' && after !== undefined) await hints.announce(DEFINITIONS, after.rv);
  return 'done';
}

/** The end of the journal, when the collection is empty and dispatch has sent all of it. */
async function emptied(
  options: DefinitionOptions & EmptyOptions,
  collection: Collection,
): Promise<number | 'cut' | 'held'> {
  const { clock, logger } = options;
  const gaveUp = clock.now() + PATIENCE;
  let least = Number.POSITIVE_INFINITY;
  let stuck = gaveUp;
  for (;;) {
    const { found, rv, isCut } = await emptyCollection(options, collection);
    if (isCut) return 'cut';
    if (found === 0 && (await leastPosition(options, collection)) >= rv) return rv;
    // A collection that was never written has no changes to dispatch.
    if (found === 0 && rv <= 1) return rv;
    const now = clock.now();
    if (found < least) {
      least = found;
      stuck = now + STUCK;
    }
    if (now >= gaveUp || (found > 0 && now >= stuck)) {
      logger.info(
        'a CustomResourceDefinition cannot be deleted yet: its objects still exist, or dispatch has not sent all their changes',
        { collection, left: found },
      );
      return 'held';
    }
    await clock.sleep(PAUSE);
  }
}

function release(body: JsonObject): Mutation {
  const { finalizers, ...metadata } = metadataOf(body);
  const others = Array.isArray(finalizers) ? finalizers.filter((one) => one !== CLEANUP_FINALIZER) : [];
  if (others.length === 0) return { kind: 'delete', body };
  return { kind: 'put', body: { ...body, metadata: { ...metadata, finalizers: others } } };
}
