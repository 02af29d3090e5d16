import type { ReconcileMessage } from '../../coordination/index.ts';
import { isTerminating } from '../../coordination/index.ts';
import { type GoOnOptions, goOn } from '../../delivery/index.ts';
import { type Collection, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { mapBounded, TIMING } from '../../platform/index.ts';
import type { Mutation } from '../../store/index.ts';
import { type Emptied, type EmptyOptions, emptyCollection } from './empty-collection.ts';

export interface NamespaceOptions extends GoOnOptions, Omit<EmptyOptions, 'over'> {
  /** How long one message deletes objects, in ms; by default {@link TIMING.emptying}. */
  readonly emptying?: number | undefined;
  /** All namespaced collections. */
  readonly collections: readonly Collection[];
}

/** How long one message waits for finalizers of the last objects, and the pause between checks, in ms. */
const PATIENCE = 30_000;
const PAUSE = 500;
/** After so many ms without progress, the message ends. The schedule sends another within a minute. */
const STUCK = 5_000;
/** The finalizer in a namespace's spec that says that it is not empty yet. */
const OWN_FINALIZER = 'kubernetes';

type NamespaceMessage = Extract<ReconcileMessage, { kind: 'namespace' }>;

/**
 * Empties a Terminating namespace and removes it:
 *
 *   1. Delete its objects. If the time of one invocation is over, send a message to continue.
 *   2. Wait a grace. A create that read the namespace before it was Terminating commits within a grace of that read,
 *      so no object is created later.
 *   3. Delete the objects that were created meanwhile, and wait for finalizers that hold objects. Only the
 *      collections that still have objects are read again. A stuck namespace thus costs few reads, and few seconds a
 *      minute.
 *   4. Remove the namespace.
 */
export async function reconcileNamespace(given: NamespaceOptions, message: NamespaceMessage): Promise<void> {
  const { name } = message;
  const { store, clock, logger, emptying = TIMING.emptying } = given;
  const options = { ...given, over: clock.deadline(emptying) };
  const namespace = await store.get(NAMESPACES, { namespace: '', name });
  if (namespace === undefined || !isTerminating(namespace)) return;
  if ((await empty(options, name)).isCut) return goOn(options, message);
  await clock.sleep(TIMING.grace);
  const end = await untilEmpty(options, name);
  if (end === 'cut') return goOn(options, message);
  if (end === 'held') return logger.info('a namespace is held by finalizers', { namespace: name });
  const { kind, after } = await store.write(NAMESPACES, namespace.name, (current) =>
    current?.uid === namespace.uid ? removal(current.body) : { kind: 'none' },
  );
  if (kind !== 'none' && after !== undefined) await options.hints.announce(NAMESPACES, after.rv);
}

/** Deletes objects until there are none, or finalizers hold the rest for too long. */
async function untilEmpty(
  options: NamespaceOptions & EmptyOptions,
  namespace: string,
): Promise<'empty' | 'cut' | 'held'> {
  const { clock } = options;
  const gaveUp = clock.now() + PATIENCE;
  let { collections } = options;
  let least = Number.POSITIVE_INFINITY;
  let stuck = 0;
  for (;;) {
    const { held, holding, isCut } = await empty({ ...options, collections }, namespace);
    if (isCut) return 'cut';
    if (held === 0) return 'empty';
    const now = clock.now();
    if (held < least) {
      least = held;
      stuck = now + STUCK;
    }
    if (now >= gaveUp || now >= stuck) return 'held';
    collections = holding;
    await clock.sleep(PAUSE);
  }
}

/** The removal of the namespace. If another finalizer holds it, the namespace stays without Kubernetes' own. */
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

interface EmptiedNamespace extends Pick<Emptied, 'held' | 'isCut'> {
  /** The collections in which finalizers hold objects. */
  readonly holding: readonly Collection[];
}

/** Deletes the objects of a namespace, in each of the collections, that no finalizer holds. */
async function empty(options: NamespaceOptions & EmptyOptions, namespace: string): Promise<EmptiedNamespace> {
  const { collections } = options;
  const emptied = await mapBounded(collections, 4, (collection) =>
    emptyCollection(options, collection, namespace),
  );
  return {
    held: emptied.reduce((sum, { held }) => sum + held, 0),
    holding: collections.filter((_, at) => emptied[at]?.held !== 0),
    isCut: emptied.some(({ isCut }) => isCut),
  };
}
