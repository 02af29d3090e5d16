import { type Logger, TIMING } from '../../platform/index.ts';
import {
  type Collection,
  collectionOf,
  type JsonObject,
  type Mutation,
  metadataOf,
  type ObjectState,
  objectAt,
  type Store,
  type Table,
} from '../../store/index.ts';
import { leastPosition } from '../groups/index.ts';
import { CLEANUP_FINALIZER, DEFINITIONS } from '../own-collections.ts';
import { type EmptyOptions, emptyCollection } from './empty-collection.ts';

/** What definitions say of themselves. */
export interface DefinitionStatuses {
  /** Gives definitions the names that they ask for and that are free by now. */
  settleNames(store: Store): Promise<void>;
  /** Has a definition say that its objects are being deleted. */
  tellDeletion(store: Store, definition: ObjectState): Promise<void>;
}

export interface DefinitionOptions extends EmptyOptions {
  readonly table: Table;
  readonly logger: Logger;
  readonly definitions: DefinitionStatuses;
}

/** How long to wait for finalizers of the last objects and for dispatch, and how often to look, in ms. */
const PATIENCE = 30_000;
const PAUSE = 500;

/**
 * Deletes the objects of a definition that is being deleted, and then lets it go; whatever becomes of a definition may
 * free names that others wait for.
 *
 * Every step is done again where it was cut off: what was decided before the definition was marked is committed a grace
 * and a look later ({@link TIMING.definitionLook}), so what is there then is all there will ever be. When dispatch has
 * told of all that, the journal is compacted up to its end: watches and pages of the kind that was are answered 410,
 * also where there is another of its name.
 */
export async function reconcileDefinition(options: DefinitionOptions, name: string): Promise<void> {
  const { store } = options;
  const definition = await store.get(DEFINITIONS, { namespace: '', name });
  const isDone =
    definition === undefined || !isBeingCleaned(definition.body) || (await remove(options, definition));
  if (isDone) await options.definitions.settleNames(store);
}

/** Whether the definition waits for its objects to be deleted. */
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

/** Answers whether it is gone; where it is not, the schedule asks again. */
async function remove(options: DefinitionOptions, definition: ObjectState): Promise<boolean> {
  const { store, clock, hints } = options;
  const collection = collectionOfDefinition(definition.body);
  await options.definitions.tellDeletion(store, definition);
  await emptyCollection(options, collection);
  await clock.sleep(TIMING.definitionLook + TIMING.grace);
  const end = await emptied(options, collection);
  if (end === undefined) return false;
  await store.raise(collection, 'settled', end);
  await store.raise(collection, 'compacted', end);
  const { kind, after } = await store.write(DEFINITIONS, definition.name, (current) =>
    current?.uid === definition.uid ? release(current.body) : { kind: 'none' },
  );
  if (kind !== 'none' && after !== undefined) await hints.announce(DEFINITIONS, after.rv);
  return true;
}

/** The end of the journal, when the collection is empty and dispatch has told of that; undefined where it takes long. */
async function emptied(options: DefinitionOptions, collection: Collection): Promise<number | undefined> {
  const { table, clock, logger } = options;
  const gaveUp = clock.now() + PATIENCE;
  for (;;) {
    const { found, rv } = await emptyCollection(options, collection);
    if (found === 0 && (await leastPosition(table, collection)) >= rv) return rv;
    // Nobody has to be told of a collection that was never written.
    if (found === 0 && rv <= 1) return rv;
    if (clock.now() > gaveUp) {
      logger.info('a definition is held by objects of its kind', { collection, left: found });
      return undefined;
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
