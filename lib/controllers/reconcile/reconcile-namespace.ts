import type { ReconcileMessage } from '../../coordination/index.ts';
import { isTerminating } from '../../coordination/index.ts';
import { type GoOnOptions, goOn } from '../../delivery/index.ts';
import { type Collection, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { mapBounded, TIMING } from '../../platform/index.ts';
import type { Mutation, ObjectState } from '../../store/index.ts';
import { type Emptied, type EmptyOptions, emptyCollection } from './empty-collection.ts';
import { type Left, withNamespaceConditions } from './namespace-conditions.ts';

export interface NamespaceOptions extends GoOnOptions, Omit<EmptyOptions, 'over'> {
  /** How long one message deletes objects, in ms; by default {@link TIMING.emptying}. */
  readonly emptying?: number | undefined;
  /** All namespaced collections. */
  readonly collections: readonly Collection[];
}

/** How long one message waits for finalizers of the last objects, and the pause between checks, in ms. */
const PATIENCE = 30_000;
const PAUSE = 500;
/** After so many ms without progress, the message ends. `tick` sends another one within a minute. */
const STUCK = 5_000;
/** The finalizer in a namespace's spec that says that it is not empty yet. */
const OWN_FINALIZER = 'kubernetes';

type NamespaceMessage = Extract<ReconcileMessage, { kind: 'namespace' }>;

/**
 * Empties a Terminating namespace and removes it:
 *
 *   1. Delete its pods, and then its other objects. If the time of one invocation is over, it sends itself a message
 *      and continues with that. Pods go first, because a NetworkPolicy must guard a pod for as long as the pod is there
 *      (CVE-2024-7598). While finalizers hold a pod, no other object is deleted.
 *   2. Wait a grace. A create that read the namespace before it was Terminating commits within a grace of that read,
 *      so no object is created later.
 *   3. Delete the objects that were created meanwhile, in the same order, and wait for finalizers that hold objects.
 *      Only the collections that still have objects are read again: a namespace that is stuck costs few reads, and few
 *      seconds a minute. Its conditions name the objects that are left.
 *   4. Remove the namespace.
 */
export async function reconcileNamespace(given: NamespaceOptions, message: NamespaceMessage): Promise<void> {
  const { name } = message;
  const { store, clock, logger, emptying = TIMING.emptying } = given;
  const options = { ...given, over: clock.deadline(emptying) };
  const namespace = await store.get(NAMESPACES, { namespace: '', name });
  if (namespace === undefined || !isTerminating(namespace)) return;
  const first = await empty(options, name);
  if (first.isCut) return goOn(options, message);
  await tell(options, namespace, first);
  await clock.sleep(TIMING.grace);
  const end = await untilEmpty(options, name);
  if (end.isCut) return goOn(options, message);
  if (end.held > 0) {
    await tell(options, namespace, end);
    return logger.info('a namespace is held by finalizers', { namespace: name });
  }
  await writeNamespace(options, namespace, removal);
}

/** Writes into the status of the namespace what finalizers hold. A namespace that is empty has no such conditions. */
async function tell(
  options: NamespaceOptions,
  namespace: ObjectState,
  left: EmptiedNamespace,
): Promise<void> {
  if (left.held === 0) return;
  await writeNamespace(options, namespace, (body) => {
    const told = withNamespaceConditions(body, left, options.clock.now());
    return told === body ? { kind: 'none' } : { kind: 'put', body: told };
  });
}

async function writeNamespace(
  { store, hints }: NamespaceOptions,
  namespace: ObjectState,
  change: (body: JsonObject) => Mutation,
): Promise<void> {
  const { kind, after } = await store.write(NAMESPACES, namespace.name, (current) =>
    current?.uid === namespace.uid ? change(current.body) : { kind: 'none' },
  );
  if (kind !== 'none' && after !== undefined) await hints.announce(NAMESPACES, after.rv);
}

/** Deletes objects until there are none, or finalizers hold the rest for too long. */
async function untilEmpty(
  options: NamespaceOptions & EmptyOptions,
  namespace: string,
): Promise<EmptiedNamespace> {
  const { clock } = options;
  const gaveUp = clock.now() + PATIENCE;
  let { collections } = options;
  let least = Number.POSITIVE_INFINITY;
  let stuck = 0;
  for (;;) {
    const emptied = await empty({ ...options, collections }, namespace);
    const { held, left, isCut } = emptied;
    if (isCut || held === 0) return emptied;
    const now = clock.now();
    // If more collections are left to read than before, that is progress too: the pods are gone.
    if (held < least || left.length < collections.length) {
      least = held;
      stuck = now + STUCK;
    }
    if (now >= gaveUp || now >= stuck) return emptied;
    collections = left;
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

interface EmptiedNamespace extends Left, Pick<Emptied, 'isCut'> {
  /** Objects that finalizers hold. */
  readonly held: number;
  /** The collections that may still have objects. */
  readonly left: readonly Collection[];
}

/** Deletes the objects that no finalizer holds: first the pods and, when there are none, all others. */
async function empty(options: NamespaceOptions & EmptyOptions, namespace: string): Promise<EmptiedNamespace> {
  const { collections } = options;
  const pods = await emptyAll(options, namespace, collections.filter(isPods));
  if (pods.isCut || pods.held > 0) return { ...pods, left: collections };
  return emptyAll(
    options,
    namespace,
    collections.filter((collection) => !isPods(collection)),
  );
}

const isPods = (collection: Collection) => collection === 'core/pods';

async function emptyAll(
  options: NamespaceOptions & EmptyOptions,
  namespace: string,
  collections: readonly Collection[],
): Promise<EmptiedNamespace> {
  const emptied = await mapBounded(collections, 4, async (collection) => ({
    collection,
    ...(await emptyCollection(options, collection, namespace)),
  }));
  const holders = new Map<string, number>();
  for (const [finalizer, count] of emptied.flatMap((one) => [...one.holders])) {
    holders.set(finalizer, (holders.get(finalizer) ?? 0) + count);
  }
  const remaining = new Map(emptied.map(({ collection, held }) => [collection, held]));
  return {
    held: emptied.reduce((sum, { held }) => sum + held, 0),
    holders,
    remaining,
    left: collections.filter((collection) => remaining.get(collection) !== 0),
    isCut: emptied.some(({ isCut }) => isCut),
  };
}
