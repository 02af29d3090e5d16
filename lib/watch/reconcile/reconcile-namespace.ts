import { type Clock, type Logger, MEMORY, mapBounded, TIMING } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import {
  type Collection,
  eachPage,
  type JsonObject,
  type Mutation,
  metadataOf,
  type ObjectState,
  objectAt,
  type Store,
} from '../../store/index.ts';
import { removalOf } from '../collect/index.ts';
import type { Hints } from '../hints.ts';
import { NAMESPACES } from '../own-collections.ts';

export interface NamespaceOptions {
  readonly store: Store;
  readonly hints: Hints;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Every collection whose objects live in namespaces. */
  readonly collections: readonly Collection[];
}

/** How long to wait for finalizers of the last objects, and how often to look, in ms. */
const PATIENCE = 30_000;
const PAUSE = 500;

/**
 * Empties a Terminating namespace and removes it. A create that read the namespace before it was Terminating
 * commits within a grace of that read, so what is there after a grace is all there will ever be. Objects that
 * finalizers hold are waited for a while; then the schedule asks again.
 */
export async function reconcileNamespace(options: NamespaceOptions, name: string): Promise<void> {
  const { store, clock, logger } = options;
  const namespace = await store.get(NAMESPACES, { namespace: '', name });
  if (namespace === undefined || !isTerminating(namespace)) return;
  await empty(options, name);
  await clock.sleep(TIMING.grace);
  const gaveUp = clock.now() + PATIENCE;
  while ((await empty(options, name)) > 0) {
    if (clock.now() > gaveUp) {
      logger.info('a namespace is held by finalizers', { namespace: name });
      return;
    }
    await clock.sleep(PAUSE);
  }
  const { kind, after } = await store.write(NAMESPACES, namespace.name, (current) =>
    current?.uid === namespace.uid ? removal(current.body) : { kind: 'none' },
  );
  if (kind !== 'none' && after !== undefined) await options.hints.announce(NAMESPACES, after.rv);
}

/** The namespace goes, unless somebody's finalizer holds the object itself: then without the one that was ours. */
function removal(body: JsonObject): Mutation {
  if (!isHeld(body)) return { kind: 'delete', body };
  const { finalizers, ...spec } = objectAt(body.spec);
  return finalizers === undefined ? { kind: 'none' } : { kind: 'put', body: { ...body, spec } };
}

function isHeld(body: JsonObject): boolean {
  const { finalizers } = metadataOf(body);
  return Array.isArray(finalizers) && finalizers.length > 0;
}

export function isTerminating(object: ObjectState): boolean {
  return metadataOf(object.body).deletionTimestamp !== undefined;
}

/** Deletes what can be deleted, and answers how many objects are left. */
async function empty(options: NamespaceOptions, namespace: string): Promise<number> {
  const left = await mapBounded(options.collections, 4, (collection) =>
    emptyCollection(options, collection, namespace),
  );
  return left.reduce((sum, count) => sum + count, 0);
}

async function emptyCollection(
  options: NamespaceOptions,
  collection: Collection,
  namespace: string,
): Promise<number> {
  const request = { namespace, selector: everything, mostHeap: MEMORY.page };
  let held = 0;
  for await (const { items } of eachPage(options.store, collection, request)) {
    const left = await mapBounded(items, 4, (object) => deleteObject(options, collection, object));
    held += left.filter(Boolean).length;
  }
  return held;
}

/** Deletes an object, or marks it where finalizers hold it. Answers whether it is held. */
async function deleteObject(
  { store, hints, clock }: NamespaceOptions,
  collection: Collection,
  object: ObjectState,
): Promise<boolean> {
  const outcome = await store.write(collection, object.name, (current) =>
    current?.uid === object.uid ? removalOf(current.body, { collection, clock }) : { kind: 'none' },
  );
  if (outcome.kind !== 'none' && outcome.after !== undefined) {
    await hints.announce(collection, outcome.after.rv);
  }
  return outcome.kind !== 'delete' && outcome.after !== undefined;
}
