import type { ReconcileMessage } from '../../coordination/index.ts';
import { isTerminating } from '../../coordination/index.ts';
import { type GoOnOptions, goOn } from '../../delivery/index.ts';
import { type Collection, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { mapBounded, TIMING } from '../../platform/index.ts';
import type { Mutation } from '../../store/index.ts';
import { type Emptied, type EmptyOptions, emptyCollection } from './empty-collection.ts';

export interface NamespaceOptions extends GoOnOptions, Omit<EmptyOptions, 'over'> {
  /** For how long one message deletes objects, in ms; by default {@link TIMING.emptying}. */
  readonly emptying?: number | undefined;
  /** Every collection whose objects live in namespaces. */
  readonly collections: readonly Collection[];
}

/** How long to wait for finalizers of the last objects, and how often to look, in ms. */
const PATIENCE = 30_000;
const PAUSE = 500;
/** In the spec of a namespace: it is not empty yet. */
const OWN_FINALIZER = 'kubernetes';

type NamespaceMessage = Extract<ReconcileMessage, { kind: 'namespace' }>;

/**
 * Empties a Terminating namespace and removes it. A create that read the namespace before it was Terminating
 * commits within a grace of that read, so what is there after a grace is all there will ever be. Where there are more
 * objects than one invocation can delete, a message to itself goes on. Objects that finalizers hold are waited for a
 * while; then the schedule asks again.
 */
export async function reconcileNamespace(given: NamespaceOptions, message: NamespaceMessage): Promise<void> {
  const { name } = message;
  const { store, clock, logger, emptying = TIMING.emptying } = given;
  const options = { ...given, over: clock.deadline(emptying) };
  const namespace = await store.get(NAMESPACES, { namespace: '', name });
  if (namespace === undefined || !isTerminating(namespace)) return;
  if ((await empty(options, name)).isCut) return goOn(options, message);
  await clock.sleep(TIMING.grace);
  const gaveUp = clock.now() + PATIENCE;
  for (;;) {
    const { held, isCut } = await empty(options, name);
    if (isCut) return goOn(options, message);
    if (held === 0) break;
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

/** Deletes what can be deleted of every collection. */
async function empty(
  options: NamespaceOptions & EmptyOptions,
  namespace: string,
): Promise<Pick<Emptied, 'held' | 'isCut'>> {
  const emptied = await mapBounded(options.collections, 4, (collection) =>
    emptyCollection(options, collection, namespace),
  );
  return {
    held: emptied.reduce((sum, { held }) => sum + held, 0),
    isCut: emptied.some(({ isCut }) => isCut),
  };
}
