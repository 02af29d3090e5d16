import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Mutation, ObjectState } from '../../../lib/store/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Cluster } from './cluster.ts';
import { insistOnNamespace } from './insist-on-namespace.ts';

/** How often reconcile deletes one name at most, while creates are under way. */
const DELETES = 4;

/** Creates the scenario's namespaces, and deletes some of them while writers work. */
export async function liveInNamespaces(cluster: Cluster, scenario: Scenario): Promise<void> {
  const { scheduler, chance } = cluster.world;
  for (const name of scenario.namespaces) {
    await insistOnNamespace(cluster, name, (current) => created(name, current));
  }
  for (const name of scenario.deletedNamespaces) {
    await scheduler.sleep(chance.within([0.2, 0.9]) * scenario.lasts);
    // Reconcile's deletions are recorded as operations like a client's, without an answer. Reconcile may delete an
    // object, and then another one that a create under way put in its place.
    for (let index = 0; index < scenario.names * DELETES; index += 1) {
      const about = {
        client: `namespace ${name}`,
        object: `${name}/p${index % scenario.names}`,
        invoked: cluster.now,
      };
      cluster.recorder.operations.push({ ...about, kind: 'delete', returned: undefined, outcome: 'unknown' });
    }
    await insistOnNamespace(cluster, name, marked);
  }
}

function created(name: string, current: ObjectState | undefined): Mutation {
  if (current !== undefined) return { kind: 'none' };
  const body: JsonObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: `uid-of-${name}` },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
  return { kind: 'put', body };
}

function marked(current: ObjectState | undefined): Mutation {
  const metadata = metadataOf(current?.body ?? {});
  if (current === undefined || metadata.deletionTimestamp !== undefined) return { kind: 'none' };
  const status = { ...objectAt(current.body.status), phase: 'Terminating' };
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  return { kind: 'put', body: { ...current.body, metadata: { ...metadata, deletionTimestamp }, status } };
}
