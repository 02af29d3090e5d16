import type { Labels } from '../../../lib/selectors/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { perform, type Request } from './client.ts';
import type { Cluster } from './cluster.ts';
import { sizedToken, type Written } from './pods.ts';

const APPS = ['x', 'y', 'z'];
const TIERS = ['a', 'b'];
const PHASES = ['Running', 'Pending'];
const SIZES = ['1', '5', '9'];

/** Creates, updates, relabels, deletes and recreates objects, with and without preconditions. */
export async function write(cluster: Cluster, client: string, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  /** The last resourceVersion that this client knows, by object. */
  const known = new Map<string, number>();
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const request = pick(cluster, { scenario, client, count, known });
    const { answer } = await perform(cluster, client, request);
    if (answer !== undefined) known.set(answer.object, answer.rv);
  }
}

interface Turn {
  readonly scenario: Scenario;
  readonly client: string;
  /** The number of the request among those of the client. */
  readonly count: number;
  readonly known: ReadonlyMap<string, number>;
}

function pick({ world: { chance } }: Cluster, turn: Turn): Request {
  const { scenario, known } = turn;
  const object = `${chance.pick(scenario.namespaces)}/p${chance.below(scenario.names)}`;
  const expected = chance.chance(0.25) ? known.get(object) : undefined;
  const kind = chance.pick(['create', 'create', 'update', 'update', 'update', 'delete', 'get'] as const);
  const inNamespace = scenario.deletedNamespaces.length > 0;
  const about = { object, inNamespace };
  if (kind === 'delete' || kind === 'get') return { kind, ...about, ...(kind === 'get' ? {} : { expected }) };
  return { kind, ...about, wrote: state(chance, turn), ...(kind === 'create' ? {} : { expected }) };
}

function state(chance: Chance, { scenario, client, count }: Turn): Written {
  const token = `${client}.${count}`;
  const { bodies } = scenario;
  return {
    labels: { ...labels(chance), ...moreLabels(chance, scenario.labelKeys ?? 0, count) },
    phase: chance.pick(PHASES),
    token: bodies === undefined ? token : sizedToken(token, Math.round(chance.within(bodies))),
  };
}

function labels(chance: Chance): Labels {
  return {
    ...(chance.chance(0.9) ? { app: chance.pick(APPS) } : {}),
    ...(chance.chance(0.6) ? { tier: chance.pick(TIERS) } : {}),
    ...(chance.chance(0.2) ? { canary: '' } : {}),
  };
}

/** Up to three of the keys that are in use by a client's `count`th request. */
function moreLabels(chance: Chance, keys: number, count: number): Labels {
  const used = Math.min(keys, count + 2);
  const picked: Record<string, string> = {};
  for (let left = used === 0 ? 0 : 1 + chance.below(3); left > 0; left -= 1) {
    picked[`k${chance.below(used)}`] = chance.pick(SIZES);
  }
  return picked;
}
