import { type Collection, type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import {
  FOREGROUND_FINALIZER,
  type Mutation,
  type ObjectState,
  ORPHAN_FINALIZER,
} from '../../../lib/store/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';
import type { Cluster } from './cluster.ts';

/** The collections of objects that own each other, and of objects that own nothing. Only these actors write them. */
export const SETS: Collection = 'apps/replicasets';
export const LEAVES: Collection = 'core/configmaps';

type Policy = 'Background' | 'Foreground' | 'Orphan';

const FINALIZERS = { Foreground: FOREGROUND_FINALIZER, Orphan: ORPHAN_FINALIZER } as const;
/** How many of the newest owners a new object may name. */
const NEWEST = 4;

/**
 * What the owners' clients know: the owners that exist, and the objects whose deletion they requested, with any
 * result.
 */
export class Ownership {
  readonly #known: { readonly name: string; readonly uid: string }[] = [];
  readonly asked = new Set<string>();

  know(name: string, uid: string): void {
    this.#known.push({ name, uid });
  }

  references(chance: Chance): JsonObject[] {
    const newest = this.#known.slice(-NEWEST);
    const owners = newest.filter(() => chance.chance(0.4));
    return owners.map((owner) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      ...owner,
      blockOwnerDeletion: chance.chance(0.5),
    }));
  }
}

/** Creates objects that name others as their owners, changes them, and deletes them in each way. */
export async function own(cluster: Cluster, ownership: Ownership, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const name = `n${chance.below(scenario.names)}`;
    const collection = chance.chance(0.5) ? SETS : LEAVES;
    const what = chance.pick(['create', 'create', 'create', 'change', 'delete'] as const);
    if (what === 'create') {
      await create(cluster, ownership, { collection, name });
    } else if (what === 'change') {
      await write(cluster, { collection, name }, (current) => changed(current, String(count)));
    } else {
      const policy = chance.pick(['Background', 'Foreground', 'Orphan'] as const);
      await write(cluster, { collection, name }, (current) => removed(current, policy, ownership));
    }
  }
}

interface Named {
  readonly collection: Collection;
  readonly name: string;
}

async function create(cluster: Cluster, ownership: Ownership, named: Named): Promise<void> {
  const { collection, name } = named;
  const type =
    collection === SETS
      ? { apiVersion: 'apps/v1', kind: 'ReplicaSet' }
      : { apiVersion: 'v1', kind: 'ConfigMap' };
  const { chance } = cluster.world;
  const uid = chance.fork().asRandom().uuid();
  const ownerReferences = ownership.references(chance);
  const isCreated = await write(cluster, named, (current) => {
    if (current !== undefined) return { kind: 'none' };
    const metadata = { name, namespace: 'default', uid, ownerReferences };
    return { kind: 'put', body: { ...type, metadata } };
  });
  if (isCreated && collection === SETS) ownership.know(name, uid);
}

function changed(current: ObjectState | undefined, token: string): Mutation {
  return current === undefined
    ? { kind: 'none' }
    : { kind: 'put', body: { ...current.body, spec: { token } } };
}

function removed(current: ObjectState | undefined, policy: Policy, { asked }: Ownership): Mutation {
  const metadata = metadataOf(current?.body ?? {});
  if (current === undefined || metadata.deletionTimestamp !== undefined) return { kind: 'none' };
  asked.add(current.uid);
  if (policy === 'Background') return { kind: 'delete', body: current.body };
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const marked = { ...metadata, finalizers: [FINALIZERS[policy]], deletionTimestamp };
  return { kind: 'put', body: { ...current.body, metadata: marked } };
}

/** Returns whether the client received an answer that it changed something. */
async function write(
  cluster: Cluster,
  { collection, name }: Named,
  change: (current: ObjectState | undefined) => Mutation,
): Promise<boolean> {
  const ended = await cluster.write.invoke(TIMING.gateway, async ({ store, hints, clock }) => {
    const bounded = store.within(clock.deadline(TIMING.request));
    const outcome = await bounded.write(collection, { namespace: 'default', name }, change);
    const { kind, after } = outcome;
    if (kind !== 'none' && after !== undefined) await hints.announce(collection, after.rv);
    return kind !== 'none';
  });
  return ended.how === 'done' && ended.result;
}
