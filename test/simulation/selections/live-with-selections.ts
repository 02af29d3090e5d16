import { silentLogger, systemClock, systemRandom, TIMING } from '../../../lib/platform/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import { createStore, nameKey, type Store } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import type { Cluster } from '../actors/cluster.ts';
import { SERVICES } from '../actors/targets.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { carriedOf, mutationOf } from './carrying.ts';
import { goOver } from './going-over.ts';
import type { SelectionRecord } from './selection-record.ts';

const ASKED: readonly Labels[] = [
  { app: 'x' },
  { app: 'x', tier: 'a' },
  { app: 'y', tier: 'b', canary: '' },
  { tier: 'a' },
  {},
];

/** Starts the writers of carriers, and the clients that look them up. */
export function liveWithSelections(
  cluster: Cluster,
  record: SelectionRecord,
  scenario: Scenario,
): Promise<void>[] {
  record.follow(cluster.world, scenario.selectsFrom);
  const clients = Array.from({ length: scenario.selectors }, (_, at) => `selecting${at}`);
  return [
    ...clients.flatMap((client) => [carry(cluster, scenario), ask(cluster, { client, record, scenario })]),
    ...(scenario.selectsFrom === undefined ? [] : clients.map(() => goOver(cluster, scenario))),
  ];
}

async function carry(
  { world, write }: Cluster,
  { writes, names, pause, selectsFrom = 0 }: Scenario,
): Promise<void> {
  const { chance, scheduler } = world;
  for (let count = 0; count < writes; count += 1) {
    await scheduler.sleep(chance.within(pause));
    const name = `s${chance.below(names)}`;
    const what = chance.pick(['put', 'put', 'put', 'put', 'touch', 'clear', 'delete'] as const);
    const uid = `uid-${name}-${chance.next()}`;
    // A request keeps the value of its start, as a function of an earlier version does.
    const isKnown = scheduler.now >= selectsFrom;
    await write.invoke(TIMING.gateway, ({ store, clock }) =>
      store
        .within(clock.deadline(TIMING.request))
        .write(SERVICES, { namespace: 'default', name }, (current) =>
          mutationOf(what, current, { name, uid, chance, isKnown }),
        ),
    );
  }
}

interface Asking {
  readonly client: string;
  readonly record: SelectionRecord;
  readonly scenario: Scenario;
}

async function ask({ world, read }: Cluster, { client, record, scenario }: Asking): Promise<void> {
  const { chance, scheduler } = world;
  for (let count = 0; count < scenario.listings; count += 1) {
    await scheduler.sleep(chance.within(scenario.listPause));
    const labels = chance.pick(ASKED);
    const began = scheduler.now;
    const ended = await read.invoke(TIMING.gateway, ({ store, clock }) =>
      lookUp(store.within(clock.deadline(TIMING.request)), labels),
    );
    if (ended.how !== 'done') continue;
    record.lookUps.push({ client, began, ended: scheduler.now, labels, found: ended.result });
  }
}

async function lookUp(store: Store, labels: Labels): Promise<readonly string[]> {
  const { found } = await store.selecting(
    { target: 'core/pods', namespace: 'default', labels },
    {
      most: 100,
      matches: ({ selector }) => selector.matches(labels),
      readCarrier: async (collection, name) => {
        const state = await store.get(collection, name);
        return state && { uid: state.uid, carried: carriedOf(state.body) };
      },
    },
  );
  return [...new Set(found.map(({ name }) => nameKey(name)))];
}

/** Has the store load the modules that it loads on first use. Loading takes real time, and a run has none. */
export async function warmUp(): Promise<void> {
  const outside = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const store = createStore({ ...outside, table: createMemoryTable() });
  const body = { metadata: { name: 's' }, spec: { text: 'app=x', path: 'one' } };
  const name = { namespace: 'default', name: 's' };
  await store.write(SERVICES, name, () => ({ kind: 'put', body, selects: carriedOf(body) }));
  await lookUp(store, { app: 'x' });
}
