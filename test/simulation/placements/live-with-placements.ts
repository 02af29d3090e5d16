import { type Binder, createBinder } from '../../../lib/controllers/binding/index.ts';
import type { SnapshotPolicy } from '../../../lib/controllers/world-snapshots/index.ts';
import { type JsonObject, metadataOf, type ObjectName, objectAt } from '../../../lib/json/index.ts';
import { silentLogger, systemClock, systemRandom, TIMING } from '../../../lib/platform/index.ts';
import { createStore, type Mutation, type ObjectState } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import type { Cluster } from '../actors/cluster.ts';
import { PODS } from '../actors/pods.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { type Given, Lambda } from '../world/lambda.ts';
import { NAMESPACE, NODES, nodeOf, podOf, type Wish } from './objects.ts';

/** The time in ms that an invocation reserves to end cleanly. */
const MARGIN = 2_000;
/** The zone of each node. */
const ZONES = ['a', 'a', 'b', 'b'] as const;
const APPS = ['x', 'y'] as const;
/** The time in ms for which a client leaves its last pods to the binders. */
const UNTIL_TOLD = [5_000, 15_000] as const;

/** Makes snapshots of few objects, after few changes, in several chunks. */
const SNAPSHOTS: SnapshotPolicy = { leastObjects: 4, changes: 8, renewal: 3_600_000, chunk: 2_500 };

const binderOf = (given: Given, { keepsWorld }: Pick<Scenario, 'keepsWorld'>) =>
  createBinder({
    ...given,
    hints: { announce: async () => {} },
    schedulerName: 'winnow',
    snapshots: keepsWorld ? SNAPSHOTS : undefined,
  });

/** Starts the clients whose pods need nodes, and the binders. */
export function liveWithPlacements(cluster: Cluster, scenario: Scenario): Promise<void>[] {
  const bind = new Lambda(cluster.world, 'bind', (given) => ({
    ...given,
    binder: binderOf(given, scenario),
  }));
  const binders = Array.from({ length: scenario.binders }, () => keepBinding(cluster, bind, scenario));
  const clients = Array.from({ length: scenario.placed }, (_, at) => want(cluster, `p${at}`, scenario));
  return [addNodes(cluster, scenario), ...clients, ...binders];
}

type Bind = Lambda<Given & { readonly binder: Binder }>;

/** Binds as the queue and the schedule do, but also several times at once, which neither does. */
async function keepBinding({ world }: Cluster, bind: Bind, { bindPause }: Scenario): Promise<void> {
  for (;;) {
    await world.scheduler.sleep(world.chance.within(bindPause));
    const waits = world.chance.chance(0.5);
    await bind.invoke(TIMING.placement, ({ binder }) =>
      binder.bind({ waits, time: TIMING.placement - MARGIN }),
    );
  }
}

async function addNodes(cluster: Cluster, { lasts }: Scenario): Promise<void> {
  for (const [at, zone] of ZONES.entries()) {
    const name = `n${at}`;
    // Retries until the node exists.
    for (let isThere = false; !isThere; ) {
      const ended = await write(cluster, NODES, { namespace: '', name }, () => ({
        kind: 'put',
        body: nodeOf(name, zone),
      }));
      isThere = ended.how === 'done';
    }
    await cluster.world.scheduler.sleep(cluster.world.chance.within([0, (2 * lasts) / ZONES.length / 2]));
  }
}

async function want(cluster: Cluster, prefix: string, { writes, pause, givesBack }: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < writes; count += 1) {
    await scheduler.sleep(chance.within(pause));
    const isNew = chance.chance(0.6);
    const at = isNew ? count : chance.below(count + 1);
    const name = { namespace: NAMESPACE, name: `${prefix}-${at}` };
    await write(cluster, PODS, name, isNew ? created(chance, name) : changed(chance));
  }
  if (givesBack) await giveBack(cluster, prefix, { writes, pause });
}

/** Deletes pods that have a node, once the pods without one have a status that says why. */
async function giveBack(
  cluster: Cluster,
  prefix: string,
  { writes, pause }: Pick<Scenario, 'writes' | 'pause'>,
): Promise<void> {
  const { chance, scheduler } = cluster.world;
  await scheduler.sleep(chance.within(UNTIL_TOLD));
  for (let at = 0; at < writes; at += 1) {
    await scheduler.sleep(chance.within(pause));
    await write(cluster, PODS, { namespace: NAMESPACE, name: `${prefix}-${at}` }, withoutNode);
  }
}

type Change = (current: ObjectState | undefined) => Mutation;

function created(chance: Chance, { name }: ObjectName): Change {
  const wish = chance.pick(['room', 'room', 'alone', 'spread'] as const satisfies readonly Wish[]);
  const app = chance.pick(APPS);
  const uid = `uid-${name}-${chance.next()}`;
  return (current) =>
    current === undefined ? { kind: 'put', body: podOf({ name, uid, wish, app }) } : { kind: 'none' };
}

/** Deletes a pod that has a node, except the spread ones. */
function withoutNode(current: ObjectState | undefined): Mutation {
  const hasNode = current !== undefined && objectAt(current.body.spec).nodeName !== undefined;
  return hasNode && current.labels.wish !== 'spread'
    ? { kind: 'delete', body: current.body }
    : { kind: 'none' };
}

/**
 * Relabels a pod without a node, and deletes a pod with one. Spread pods stay, because otherwise the rest would not be
 * spread.
 */
function changed(chance: Chance): Change {
  const app = chance.pick(APPS);
  return (current) => {
    if (current === undefined || current.labels.wish === 'spread') return { kind: 'none' };
    if (objectAt(current.body.spec).nodeName !== undefined) return { kind: 'delete', body: current.body };
    return { kind: 'put', body: relabelled(current.body, app) };
  };
}

function relabelled(body: JsonObject, app: string): JsonObject {
  const metadata = metadataOf(body);
  return { ...body, metadata: { ...metadata, labels: { ...objectAt(metadata.labels), app } } };
}

function write(cluster: Cluster, collection: typeof PODS, name: ObjectName, change: Change) {
  return cluster.write.invoke(TIMING.gateway, ({ store, clock }) =>
    store.within(clock.deadline(TIMING.request)).write(collection, name, change),
  );
}

/** Loads the modules that are loaded on first use. Loading takes real time, and a run has none. */
export async function warmUp(): Promise<void> {
  const outside = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const table = createMemoryTable();
  const store = createStore({ ...outside, table });
  await store.write(NODES, { namespace: '', name: 'n' }, () => ({ kind: 'put', body: nodeOf('n', 'a') }));
  for (const wish of ['room', 'room', 'room', 'alone', 'spread'] as const) {
    const uid = systemRandom.uuid();
    const body = podOf({ name: uid, uid, wish, app: 'x' });
    await store.write(PODS, { namespace: NAMESPACE, name: uid }, () => ({ kind: 'put', body }));
  }
  const hints = { announce: async () => {} };
  const binder = createBinder({ ...outside, table, store, hints, schedulerName: 'winnow' });
  await binder.bind({ waits: false, time: TIMING.placement });
}
