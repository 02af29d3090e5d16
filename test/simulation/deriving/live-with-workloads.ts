import { createConcerns, createDerivation } from '../../../lib/controllers/deriving/index.ts';
import { createHints, type Derivation } from '../../../lib/coordination/index.ts';
import { type Collection, type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import { carriedBy } from '../../../lib/kubernetes/carriers/index.ts';
import { silentLogger, systemClock, systemRandom, TIMING } from '../../../lib/platform/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import {
  createStore,
  type Mutation,
  type ObjectState,
  roundsKey,
  type Store,
} from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import type { Cluster, Deriving } from '../actors/cluster.ts';
import { SETS } from '../actors/owners.ts';
import { PODS } from '../actors/pods.ts';
import { RESOURCES, SERVED, type Served } from '../actors/targets.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';
import type { Given } from '../world/lambda.ts';
import type { World } from '../world/world.ts';

const CHOSEN = 'status';
const NAMESPACE = 'default';
const SELECTED: readonly Labels[] = [{ app: 'x' }, { app: 'y' }, { app: 'x', tier: 'a' }, { tier: 'b' }];

/** The schedule reads the journal of ReplicaSets too. */
export const served: Served = { ...SERVED, resources: RESOURCES, collections: [...SERVED.collections, SETS] };

/** The derivation as it is deployed, except that it writes statuses without the API's rules for workloads. */
export const deriving: Deriving = {
  concerns: createConcerns(CHOSEN),
  derivation: (given, eventQueueUrl) => derivationOf(given, eventQueueUrl),
};

const refuse = () => Promise.reject(new Error('no endpoints are derived here'));
const NO_ENDPOINTS = { create: refuse, replace: refuse, remove: refuse };

function derivationOf({ store, clock, queues, logger }: Given, queueUrl: string): Derivation {
  const hints = createHints({ queues, queueUrl, logger });
  return createDerivation({
    chosen: CHOSEN,
    clock,
    objects: NO_ENDPOINTS,
    writeStatus: async (collection, object) => {
      const { rv } = await writeStatus(store.within(clock.deadline(TIMING.request)), collection, object);
      await hints.announce(collection, rv);
    },
  });
}

async function writeStatus(store: Store, collection: Collection, object: JsonObject): Promise<ObjectState> {
  const { namespace, name, resourceVersion } = metadataOf(object);
  const written = { namespace: String(namespace), name: String(name) };
  const { after } = await store.write(collection, written, (current) => {
    if (String(current?.rv) !== resourceVersion) throw new Error('the object has been modified');
    const { status = {} } = object;
    return { kind: 'put', body: { ...current?.body, status } };
  });
  if (after === undefined) throw new Error('nothing was written');
  return after;
}

/**
 * Marks the backfill since the choice of `derived` as done. Otherwise a round of it would repair every lost work item.
 */
export function endRounds({ table }: World): void {
  table.rows.set({ ...roundsKey, chosen: CHOSEN, rounds: 2, began: 0 });
}

/** Starts the clients that create, edit and delete ReplicaSets while others write pods. */
export function liveWithWorkloads(cluster: Cluster, scenario: Scenario): Promise<void>[] {
  return Array.from({ length: scenario.workloads ?? 0 }, () => keepSets(cluster, scenario));
}

async function keepSets({ world, write }: Cluster, { writes, names, pause }: Scenario): Promise<void> {
  const { chance, scheduler } = world;
  for (let count = 0; count < writes; count += 1) {
    await scheduler.sleep(chance.within(pause));
    const name = { namespace: NAMESPACE, name: `set${chance.below(names)}` };
    const isDeleted = chance.chance(0.1);
    const uid = `uid-${name.name}-${chance.next()}`;
    await write.invoke(TIMING.gateway, async ({ store, clock, hints }) => {
      const change = (current: ObjectState | undefined) =>
        changed(current, { ...name, uid, chance, isDeleted });
      const { kind, after } = await store.within(clock.deadline(TIMING.request)).write(SETS, name, change);
      if (kind !== 'none' && after !== undefined) await hints.announce(SETS, after.rv);
    });
  }
}

interface Writing {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly chance: Chance;
  readonly isDeleted: boolean;
}

/** Creates, changes or deletes a ReplicaSet. As in the API, a change keeps the selector; it changes the generation. */
function changed(current: ObjectState | undefined, { chance, isDeleted, uid, ...named }: Writing): Mutation {
  if (current === undefined) return isDeleted ? { kind: 'none' } : put(newSet({ ...named, uid }, chance));
  if (isDeleted) return { kind: 'delete', body: current.body };
  const { generation } = metadataOf(current.body);
  const metadata = { ...metadataOf(current.body), generation: Number(generation) + 1 };
  return { kind: 'put', body: { ...current.body, metadata } };
}

function newSet(named: JsonObject, chance: Chance): JsonObject {
  const labels = { ...chance.pick(SELECTED) };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { ...named, generation: 1 },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels } } },
  };
}

function put(body: JsonObject): Mutation {
  const selects = carriedBy({ collection: SETS, namespace: NAMESPACE, body }, undefined);
  return { kind: 'put', body, selects };
}

/** Loads the modules that are loaded on first use. Loading takes real time, and a run has none. */
export async function warmUp(): Promise<void> {
  const outside = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const table = createMemoryTable();
  const store = createStore({ ...outside, table });
  const name = { namespace: NAMESPACE, name: 'set' };
  const chance = { pick: ([first]: readonly unknown[]) => first } as unknown as Chance;
  await store.write(SETS, name, () => put(newSet({ ...name, uid: 'uid' }, chance)));
  const { changes } = await store.decidedChanges(SETS, 1, await store.head(SETS));
  await deriving.concerns.concerned({ ...outside, table, store }, SETS, changes);
  const subject = { collection: SETS, name };
  const derivation = createDerivation({
    chosen: CHOSEN,
    clock: systemClock,
    objects: NO_ENDPOINTS,
    writeStatus: async () => {},
  });
  await derivation.derive({ ...outside, table, store }, subject, new Map([[PODS, 1]]));
}
