import type { JsonObject } from '../../../lib/json/index.ts';
import type { Mutation, ObjectState } from '../../../lib/store/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Cluster } from './cluster.ts';
import { insistOnNamespace } from './insist-on-namespace.ts';

/** The teams whose namespaces Subscriptions select. */
export const TEAMS = ['a', 'b'] as const;

/** The chance that a namespace is deleted instead of given to another team. Its next change creates it again. */
const GOES = 0.2;

/** Gives the scenario's namespaces to teams, then moves them between teams, and deletes some. */
export async function relabelNamespaces(cluster: Cluster, scenario: Scenario): Promise<void> {
  const { scheduler, chance } = cluster.world;
  const { namespaces, relabels, lasts } = scenario;
  const give = (name: string) => {
    const team = chance.pick([...TEAMS, 'none']);
    return insistOnNamespace(cluster, name, (current) => labelled(name, team, current));
  };
  for (const name of namespaces) await give(name);
  for (let count = 0; count < relabels; count += 1) {
    await scheduler.sleep((chance.next() * 2 * lasts) / (relabels + 1));
    const name = chance.pick(namespaces);
    await (chance.chance(GOES) ? insistOnNamespace(cluster, name, removed) : give(name));
  }
}

function labelled(name: string, team: string, current: ObjectState | undefined): Mutation {
  if (current?.labels.team === team) return { kind: 'none' };
  const body: JsonObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: current?.uid ?? `uid-of-${name}`, labels: { team } },
    status: { phase: 'Active' },
  };
  return { kind: 'put', body };
}

function removed(current: ObjectState | undefined): Mutation {
  return current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body };
}
