import { createHash } from 'node:crypto';
import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { TALLIES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { prepareTally, validateTally } from '../../../lib/kubernetes/winnow/index.ts';
import { silentLogger, systemClock, systemRandom } from '../../../lib/platform/index.ts';
import { everything } from '../../../lib/selectors/index.ts';
import { createStore, type Mutation, type ObjectState } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { pickAsked } from '../actors/asked.ts';
import type { Cluster } from '../actors/cluster.ts';
import { insistOnObject, markDeleted } from '../actors/insist-on-object.ts';
import { TEAMS } from '../actors/relabel-namespaces.ts';
import { withDigests } from '../actors/targets.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';

const GROUPS = [[], ['app'], ['tier'], ['app', 'tier']];

/** Starts clients that create, edit, delete and recreate Tallies. */
export function liveWithTallies(cluster: Cluster, scenario: Scenario): Promise<void>[] {
  const { tallies = 0 } = scenario;
  return Array.from({ length: tallies }, (_, at) => live(cluster, `tally${at}`, scenario));
}

/** Has the store load the modules that it loads on first use. Loading takes real time, and a run has none. */
export async function warmUp(): Promise<void> {
  await import('../../../lib/delivery/counting/tallies-due.ts');
  await import('../../../lib/delivery/reconcile/reconcile-tally.ts');
  const outside = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const store = createStore({ ...outside, table: createMemoryTable() });
  const most = { rows: 1, candidates: 1 };
  await store.visitLabels(TALLIES, { selector: everything, most }, () => undefined);
}

async function live(cluster: Cluster, name: string, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  const { lasts, edits, talliesLeave = 0 } = scenario;
  await scheduler.sleep(chance.next() * lasts * 0.5);
  const acts = chance.below(edits + 1);
  const create = () => {
    const spec = pickSpec(chance, scenario);
    const uid = createHash('sha256').update(`${name}/${scheduler.now}`).digest('hex').slice(0, 16);
    return insist(cluster, name, (current) =>
      current === undefined ? created(name, uid, spec) : { kind: 'none' },
    );
  };
  await create();
  for (let act = 0; act < acts; act += 1) {
    await scheduler.sleep((chance.next() * lasts) / (acts + 1));
    if (chance.chance(talliesLeave)) {
      await insist(cluster, name, (current) => markDeleted(current, cluster.now));
      if (chance.chance(0.5)) return;
      await scheduler.sleep(chance.next() * lasts * 0.1);
      await create();
    } else {
      const spec = pickSpec(chance, scenario);
      await insist(cluster, name, (current) => edited(current, spec));
    }
  }
}

function pickSpec(chance: Chance, scenario: Scenario): JsonObject {
  const { labelSelector = '', fieldSelector = '' } = pickAsked(chance, scenario);
  const namespaces = pickNamespaces(chance, scenario);
  const bounds = { min: chance.below(3), max: 3 };
  return { ...namespaces, labelSelector, fieldSelector, groupBy: chance.pick(GROUPS), bounds };
}

function pickNamespaces(chance: Chance, { namespaceSelectors }: Scenario): JsonObject {
  if (namespaceSelectors > 0 && chance.chance(namespaceSelectors)) {
    return { namespaces: null, namespaceSelector: { matchLabels: { team: chance.pick(TEAMS) } } };
  }
  return { namespaces: chance.chance(0.5) ? 'All' : 'Own', namespaceSelector: null };
}

function created(name: string, uid: string, spec: JsonObject): Mutation {
  const metadata = { name, namespace: 'default', uid, generation: 1 };
  const sent = { apiVersion: 'winnow.dev/v1', kind: 'Tally', metadata };
  const whole = { ...sent, spec: { resource: { group: '', resource: 'pods' }, ...spec } };
  const body = prepareTally(whole, undefined);
  const errors = validateTally(body, undefined, withDigests().resources);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return { kind: 'put', body };
}

/** The edit of a Tally. A repeated edit counts as one. */
function edited(current: ObjectState | undefined, spec: JsonObject): Mutation {
  if (current === undefined) return { kind: 'none' };
  const metadata = metadataOf(current.body);
  if (metadata.deletionTimestamp !== undefined) return { kind: 'none' };
  const generation = Number(metadata.generation) + 1;
  const now = { ...objectAt(current.body.spec), ...spec };
  return { kind: 'put', body: { ...current.body, metadata: { ...metadata, generation }, spec: now } };
}

function insist(
  cluster: Cluster,
  name: string,
  change: (current: ObjectState | undefined) => Mutation,
): Promise<void> {
  return insistOnObject(cluster, { collection: TALLIES, name: { namespace: 'default', name } }, change);
}
