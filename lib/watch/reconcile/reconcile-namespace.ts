import { type Clock, type Logger, mapBounded, TIMING } from '../../platform/index.ts';
import {
  type Collection,
  type JsonObject,
  type JsonValue,
  type Mutation,
  metadataOf,
  objectAt,
  type Store,
} from '../../store/index.ts';
import type { Hints } from '../hints.ts';
import { isTerminating } from '../is-terminating.ts';
import { NAMESPACES } from '../own-collections.ts';
import { emptyCollection } from './empty-collection.ts';

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
/** In the spec of a namespace: it is not empty yet. */
const OWN_FINALIZER = 'kubernetes';

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

/** The namespace goes, unless somebody else's finalizer holds it: then without the one that was ours. */
function removal(body: JsonObject): Mutation {
  const { finalizers, ...spec } = objectAt(body.spec);
  const others = listOf(finalizers).filter((name) => name !== OWN_FINALIZER);
  const isHeld = others.length > 0 || listOf(metadataOf(body).finalizers).length > 0;
  if (!isHeld) return { kind: 'delete', body };
  if (others.length === listOf(finalizers).length) return { kind: 'none' };
  const held = others.length === 0 ? spec : { ...spec, finalizers: others };
  return { kind: 'put', body: { ...body, spec: held } };
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Deletes what can be deleted, and answers how many objects are left. */
async function empty(options: NamespaceOptions, namespace: string): Promise<number> {
  const left = await mapBounded(options.collections, 4, (collection) =>
    emptyCollection(options, collection, namespace),
  );
  return left.reduce((sum, { held }) => sum + held, 0);
}
