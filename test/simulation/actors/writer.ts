import type { Labels } from '../../../lib/selectors/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { perform, type Request } from './client.ts';
import type { Cluster } from './cluster.ts';
import type { Written } from './pods.ts';

const APPS = ['x', 'y', 'z'];
const TIERS = ['a', 'b'];
const PHASES = ['Running', 'Pending'];

/** Creates, updates, relabels, deletes and recreates objects, with and without preconditions. */
export async function write(cluster: Cluster, client: string, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  /** The last resourceVersion this client knows of each object. */
  const known = new Map<string, number>();
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const request = pick(chance, scenario, `${client}.${count}`, known);
    const { answer } = await perform(cluster, client, request);
    if (answer !== undefined) known.set(answer.object, answer.rv);
  }
}

function pick(
  chance: Chance,
  scenario: Scenario,
  token: string,
  known: ReadonlyMap<string, number>,
): Request {
  const object = `${chance.pick(scenario.namespaces)}/p${chance.below(scenario.names)}`;
  const expected = chance.chance(0.25) ? known.get(object) : undefined;
  const kind = chance.pick(['create', 'create', 'update', 'update', 'update', 'delete', 'get'] as const);
  const inNamespace = scenario.deletedNamespaces.length > 0;
  const about = { object, inNamespace };
  if (kind === 'delete' || kind === 'get') return { kind, ...about, ...(kind === 'get' ? {} : { expected }) };
  return { kind, ...about, wrote: state(chance, token), ...(kind === 'create' ? {} : { expected }) };
}

function state(chance: Chance, token: string): Written {
  return { labels: labels(chance), phase: chance.pick(PHASES), token };
}

function labels(chance: Chance): Labels {
  return {
    ...(chance.chance(0.9) ? { app: chance.pick(APPS) } : {}),
    ...(chance.chance(0.6) ? { tier: chance.pick(TIERS) } : {}),
    ...(chance.chance(0.2) ? { canary: '' } : {}),
  };
}
