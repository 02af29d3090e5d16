import { createConcerns, createDerivation, MANAGER } from '../../../lib/controllers/deriving/index.ts';
import { createHints, type Derivation } from '../../../lib/coordination/index.ts';
import { type Collection, type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { carriedBy } from '../../../lib/kubernetes/carriers/index.ts';
import { silentLogger, systemClock, systemRandom, TIMING } from '../../../lib/platform/index.ts';
import { everything } from '../../../lib/selectors/index.ts';
import { objectWriter, statusWriter } from '../../../lib/server/index.ts';
import { createStore, type Mutation, type ObjectState, roundsKey } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import type { Cluster, Deriving } from '../actors/cluster.ts';
import { PODS } from '../actors/pods.ts';
import { NAMESPACES, SERVICES, withServed } from '../actors/targets.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { Chance } from '../world/chance.ts';
import { EPOCH } from '../world/clock.ts';
import type { Given } from '../world/lambda.ts';
import type { World } from '../world/world.ts';
import {
  foreignSlice,
  LEASE,
  LEASES,
  leaseOf,
  MANAGED_BY,
  NAMESPACE,
  NODES,
  nodeOf,
  podOf,
  SLICES,
  SOMEBODY,
  serviceOf,
  spoilt,
  statusOf,
  terminating,
} from './served-objects.ts';

const CHOSEN = 'endpointslices,leases';
const RETRY = 1_000;
const SERVED_NAMES = ['s0', 's1'] as const;
const NODE_NAMES = ['n0', 'n1'] as const;
const LEASE_NAMES = ['l0', 'l1'] as const;
const SELECTED = [{ app: 'x' }, { app: 'y' }, { tier: 'a' }] as const;
const EDITS = ['report', 'report', 'relabel', 'relabel', 'terminate', 'delete'] as const;
/** The kinds that registrars write, at first and later. */
const FIRST = ['pod', 'pod', 'service'] as const;
const THEN = ['pod', 'pod', 'service', 'node', 'lease', 'lease', 'slice', 'slice'] as const;
/** Durations of Leases, in s: some end in the run, some when all is calm, and some never. */
const DURATIONS = [4, 15, 90, 36_000] as const;

/** The schedule reads the journals of all collections that endpoints depend on. */
export const served = withServed();

/** The derivation as it is deployed. */
export const deriving: Deriving = {
  concerns: createConcerns(CHOSEN),
  derivation: (given, eventQueueUrl) => derivationOf(given, eventQueueUrl),
};

function derivationOf(given: Given, queueUrl: string): Derivation {
  const { queues, logger } = given;
  const { announce } = createHints({ queues, queueUrl, logger });
  return derivationBy(given, announce);
}

type Outside = Pick<Given, 'store' | 'clock' | 'random'>;

function derivationBy(
  outside: Outside,
  announce: (collection: Collection, rv: number) => Promise<void>,
): Derivation {
  const { clock } = outside;
  const writing = { ...outside, manager: MANAGER, deadline: () => clock.deadline(TIMING.request), announce };
  return createDerivation({
    chosen: CHOSEN,
    clock,
    writeStatus: statusWriter(writing),
    objects: objectWriter(writing),
  });
}

/**
 * Marks the backfill since the choice of `derived` as done. Otherwise a round of it would repair every lost work item.
 */
export function endRounds({ table }: World): void {
  table.rows.set({ ...roundsKey, chosen: CHOSEN, rounds: 2, began: 0 });
}

/**
 * Starts the registrars of pods, nodes, Services and Leases, which also write foreign slices and edit the derived
 * ones.
 */
export function liveWithServices(cluster: Cluster, scenario: Scenario): Promise<void>[] {
  const registrars = Array.from({ length: scenario.registrars ?? 0 }, () => register(cluster, scenario));
  return [openNamespace(cluster), ...registrars];
}

/** Creates the namespace. Winnow derives nothing without it. */
async function openNamespace(cluster: Cluster): Promise<void> {
  for (let isThere = false; !isThere; ) {
    isThere = await write(cluster, {
      collection: NAMESPACES,
      name: NAMESPACE,
      change: () => put(NAMESPACE_BODY),
    });
    if (!isThere) await cluster.world.scheduler.sleep(RETRY);
  }
}

const NAMESPACE_BODY = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: NAMESPACE, uid: 'uid-default', labels: { 'kubernetes.io/metadata.name': NAMESPACE } },
};

async function register(cluster: Cluster, { writes, names, pause }: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < writes; count += 1) {
    await scheduler.sleep(chance.within(pause));
    const draws = chance.fork();
    const what = chance.pick(count < writes / 2 ? FIRST : THEN);
    if (what === 'slice') {
      await meddle(cluster, draws);
    } else {
      await write(cluster, CHANGES[what](draws, { names, now: cluster.now }));
    }
  }
}

interface Written {
  readonly collection: Collection;
  readonly name: string;
  readonly change: Change;
}

type Change = (current: ObjectState | undefined) => Mutation;

interface Drawn {
  /** The highest number of pods. */
  readonly names: number;
  /** In ms since the run began. */
  readonly now: number;
}

/**
 * The change of one object, by kind. All random choices are drawn beforehand, because a change may be decided twice.
 */
const CHANGES = {
  pod: (chance: Chance, { names }: Drawn): Written => {
    const at = chance.below(names);
    const pod = podOf({ ...named(`p${at}`, chance), ...anyPod(chance, at) });
    const what = chance.pick(EDITS);
    return { collection: PODS, name: `p${at}`, change: (current) => changedPod(current, pod, what) };
  },
  service: (chance: Chance): Written => {
    const name = chance.pick(SERVED_NAMES);
    const spec = { selector: { ...chance.pick(SELECTED) }, publishNotReadyAddresses: chance.chance(0.3) };
    return wholly(SERVICES, serviceOf(named(name, chance), spec), chance.chance(0.15));
  },
  node: (chance: Chance): Written => {
    const zone = chance.pick(['east', 'west']);
    return wholly(NODES, nodeOf(named(chance.pick(NODE_NAMES), chance), zone), chance.chance(0.15));
  },
  lease: (chance: Chance, { now }: Drawn): Written => {
    const lease = leaseOf(named(chance.pick(LEASE_NAMES), chance), now, chance.pick(DURATIONS));
    return wholly(LEASES, lease, chance.chance(0.15));
  },
};

function named(name: string, chance: Chance) {
  return { name, uid: chance.asRandom().uuid() };
}

function anyPod(chance: Chance, at: number) {
  const lease = chance.chance(0.7) ? chance.pick(LEASE_NAMES) : undefined;
  const labels = {
    app: chance.pick(['x', 'y']),
    tier: chance.pick(['a', 'b']),
    ...(lease !== undefined && { [LEASE]: lease }),
  };
  const phase = chance.pick(['Running', 'Running', 'Running', 'Failed']);
  const status = statusOf(`10.0.${chance.below(2)}.${at + 1}`, { phase, ready: chance.chance(0.8) });
  return {
    labels,
    node: chance.chance(0.7) ? chance.pick(NODE_NAMES) : undefined,
    port: chance.pick([8080, 8081]),
    status,
  };
}

/** Sometimes changes only the labels of a pod, or only its status: a relabelled pod keeps its status. */
function changedPod(
  current: ObjectState | undefined,
  pod: JsonObject,
  what: (typeof EDITS)[number],
): Mutation {
  if (current === undefined) return what === 'delete' ? { kind: 'none' } : put(pod);
  const { body } = current;
  if (what === 'delete' || metadataOf(body).deletionTimestamp !== undefined) return { kind: 'delete', body };
  if (what === 'terminate') return put(terminating(body));
  if (what === 'report') return put({ ...body, status: objectAt(pod.status) });
  return put({ ...body, metadata: { ...metadataOf(body), labels: objectAt(metadataOf(pod).labels) } });
}

/** Creates, replaces or deletes an object. A replaced object keeps its uid. */
function wholly(collection: Collection, wanted: JsonObject, isDeleted: boolean): Written {
  const name = String(metadataOf(wanted).name);
  const change = (current: ObjectState | undefined): Mutation => {
    if (isDeleted) return current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body };
    const uid = current?.uid ?? String(metadataOf(wanted).uid);
    return put({ ...wanted, metadata: { ...metadataOf(wanted), uid } }, collection);
  };
  return { collection, name, change };
}

function put(body: JsonObject, collection?: Collection): Mutation {
  if (collection !== SERVICES) return { kind: 'put', body };
  return { kind: 'put', body, selects: carriedBy({ collection, namespace: NAMESPACE, body }, undefined) };
}

/** Creates and deletes slices of a foreign writer, and edits and deletes Winnow's slices. */
async function meddle(cluster: Cluster, chance: Chance): Promise<void> {
  const isForeign = chance.chance(0.4);
  if (isForeign) {
    const service = chance.pick(SERVED_NAMES);
    const slice = foreignSlice(named(`foreign-${service}`, chance), service);
    await write(cluster, wholly(SLICES, slice, chance.chance(0.6)));
    return;
  }
  const isDeleted = chance.chance(0.5);
  await cluster.write.invoke(TIMING.gateway, async (given) => {
    const store = given.store.within(given.clock.deadline(TIMING.request));
    const { items } = await store.list(SLICES, { namespace: NAMESPACE, selector: everything });
    const own = items.filter(({ labels }) => labels[MANAGED_BY] !== SOMEBODY);
    const slice = own[Math.floor(chance.next() * own.length)];
    if (slice === undefined) return;
    const { kind, after } = await store.write(SLICES, slice.name, (current) => {
      if (current === undefined) return { kind: 'none' };
      return isDeleted ? { kind: 'delete', body: current.body } : put(spoilt(current.body));
    });
    if (kind !== 'none' && after !== undefined) await given.hints.announce(SLICES, after.rv);
  });
}

/** Returns whether the client received the answer that the write is done. */
async function write(cluster: Cluster, { collection, name, change }: Written): Promise<boolean> {
  const isCluster = collection === NODES || collection === NAMESPACES;
  const object = { namespace: isCluster ? '' : NAMESPACE, name };
  const ended = await cluster.write.invoke(TIMING.gateway, async ({ store, clock, hints }) => {
    const bounded = store.within(clock.deadline(TIMING.request));
    const { kind, after } = await bounded.write(collection, object, change);
    if (kind !== 'none' && after !== undefined) await hints.announce(collection, after.rv);
  });
  return ended.how === 'done';
}

/** Loads the modules that are loaded on first use. Loading takes real time, and a run has none. */
export async function warmUp(): Promise<void> {
  const outside = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const table = createMemoryTable();
  const store = createStore({ ...outside, table });
  const chance = new Chance(1);
  const pod = podOf({
    ...named('p', chance),
    ...anyPod(chance, 0),
    labels: { app: 'x', [LEASE]: 'l' },
    node: 'n0',
  });
  const ready = statusOf('10.0.0.1', { phase: 'Running', ready: true });
  await store.write(NAMESPACES, { namespace: '', name: NAMESPACE }, () => put(NAMESPACE_BODY));
  await store.write(NODES, { namespace: '', name: 'n0' }, () => put(nodeOf(named('n0', chance), 'east')));
  const derivation = derivationBy({ ...outside, store }, async () => {});
  const deriveAll = async () => {
    for (const collection of [SERVICES, LEASES]) {
      const subject = {
        collection,
        name: { namespace: NAMESPACE, name: collection === SERVICES ? 's' : 'l' },
      };
      await derivation.derive({ ...outside, table, store }, subject, new Map([[PODS, 1]]));
    }
  };
  const does: (() => Promise<unknown>)[] = [
    () =>
      store.write(SERVICES, { namespace: NAMESPACE, name: 's' }, () =>
        put(serviceOf(named('s', chance), { selector: { app: 'x' } }), SERVICES),
      ),
    () => store.write(PODS, { namespace: NAMESPACE, name: 'p' }, () => put({ ...pod, status: ready })),
    () =>
      store.write(SLICES, { namespace: NAMESPACE, name: 'f' }, () =>
        put(foreignSlice(named('f', chance), 's')),
      ),
    () =>
      store.write(LEASES, { namespace: NAMESPACE, name: 'l' }, () =>
        put(leaseOf(named('l', chance), systemClock.now() - EPOCH, 60)),
      ),
  ];
  for (const act of does) {
    await act();
    await deriveAll();
  }
  for (const collection of derivation.collections) {
    const { changes } = await store.decidedChanges(collection, 1, await store.head(collection));
    await derivation.concerned({ ...outside, table, store }, collection, changes);
  }
}
