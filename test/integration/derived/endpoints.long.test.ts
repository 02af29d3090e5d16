import { describe, expect, it } from '@jest/globals';
import { createConcerns, createDerivation, MANAGER } from '../../../lib/controllers/deriving/index.ts';
import { createDeriver, type DueMessage, enqueueChanges } from '../../../lib/coordination/index.ts';
import { type Collection, type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { objectWriter } from '../../../lib/server/index.ts';
import { createStore, type Table } from '../../../lib/store/index.ts';
import { Chance } from '../../conformance/placement/chance.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';
import { Role } from '../../support/template/role.ts';
import { seeded } from '../../support/watch/memory-world.ts';
import { synthesized } from '../../unit/infra/synthesized.ts';
import { changeSomething } from './changes.ts';
import { derived, naive } from './naive-endpoints.ts';
import { CORE, itemsOf, MERGE, SLICES } from './requests.ts';

const ROUNDS = Number(process.env.WINNOW_SEEDS ?? 40);
const CHANGES = 12;
const TIMEOUT = 300_000 + 10_000 * ROUNDS;
const QUEUE = 'derive.fifo';
describe('derived endpoints with the deployed roles', () => {
  it(
    `derived endpoints are correct after ${ROUNDS} times ${CHANGES} changes and failing writes`,
    async () => {
      const api = await createMemoryApi();
      const chance = new Chance(1);
      const derivation = await derivationOf(api, chance);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let change = 0; change < CHANGES; change += 1) await changeSomething(api, chance);
        await derivation.settle();
        const left = await api.ask('GET', `${CORE}/services`);
        for (const service of itemsOf(left)) {
          expect(await derived(api, service)).toEqual(await naive(api, service));
        }
      }
      const { writes, failures } = derivation.counts;
      expect(writes).toBeGreaterThan(2 * ROUNDS);
      expect(failures).toBeGreaterThan(ROUNDS / 2);
    },
    TIMEOUT,
  );
});

it(
  'a deleted slice that a finalizer holds is left alone, and another slice replaces it',
  async () => {
    const api = await createMemoryApi();
    const derivation = await derivationOf(api, new Chance(1), 0);
    await api.ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
    await api.ask('POST', `${CORE}/services`, {
      metadata: { name: 'one' },
      spec: { clusterIP: 'None', selector: { app: 'a' }, ports: [{ port: 80 }] },
    });
    await api.ask('POST', `${CORE}/pods`, {
      metadata: { name: 'pod', labels: { app: 'a' } },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] },
    });
    const status = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], phase: 'Running' };
    await api.send('PATCH', `${CORE}/pods/pod/status`, { status }, MERGE);
    await derivation.settle();
    const [first = {}] = itemsOf(await api.ask('GET', SLICES));
    const path = `${SLICES}/${metadataOf(first).name}`;
    await api.send('PATCH', path, { metadata: { finalizers: ['example.com/held'] } }, MERGE);
    await api.send('DELETE', path);
    await derivation.settle();
    const slices = itemsOf(await api.ask('GET', SLICES));
    expect(slices.map(({ endpoints }) => (endpoints as JsonObject[]).length)).toEqual([1, 1]);
    const going = slices.filter((slice) => metadataOf(slice).deletionTimestamp !== undefined);
    expect(going.map((slice) => metadataOf(slice).name)).toEqual([metadataOf(first).name]);
  },
  TIMEOUT,
);

/** Runs the parts of dispatch and derive step by step, each with its deployed role. */
async function derivationOf({ memory }: MemoryApi, chance: Chance, deaths = 0.2) {
  const template = await synthesized({ derived: ['endpointslices'] });
  const { clock, world } = memory;
  const outside = { clock, random: seeded(2), logger: silentLogger };
  const as = (name: string) => {
    const table: Table = new Role(template, name).table(world.table);
    return { ...outside, table, store: createStore({ ...outside, table }) };
  };
  const messages: DueMessage[] = [];
  const queues = {
    sendBatch: async (_: string, all: readonly { readonly body: string }[]) => {
      messages.push(...all.map(({ body }) => JSON.parse(body)));
      return [];
    },
  } as never;
  const [dispatch, derive] = [as('dispatch'), as('derive')];
  const concerns = createConcerns('endpointslices');
  const writer = objectWriter({
    ...derive,
    manager: MANAGER,
    deadline: () => AbortSignal.timeout(60_000),
    announce: async () => {},
  });
  const counts = { writes: 0, failures: 0 };
  /** Wraps a write so that the function may crash before or after it. */
  const failing =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const death = chance.maybe(deaths, () => chance.pick(['before', 'after']));
      if (death !== undefined) counts.failures += 1;
      if (death === 'before') throw new Error('dies before');
      const result = await write(...args);
      counts.writes += 1;
      if (death === 'after') throw new Error('dies after');
      return result;
    };
  const derivation = createDerivation({
    chosen: 'endpointslices',
    clock,
    writeStatus: () => Promise.reject(new Error('no statuses are derived here')),
    objects: {
      create: failing(writer.create),
      replace: failing(writer.replace),
      remove: failing(writer.remove),
    },
  });
  const deriver = createDeriver({ ...derive, queues, queueUrl: QUEUE, derivation });
  const seen = new Map<Collection, number>();

  async function tell(collection: Collection): Promise<boolean> {
    const head = await world.store.head(collection);
    const from = seen.get(collection) ?? 1;
    if (head <= from) return false;
    const stretch = await world.store.decidedChanges(collection, from, head);
    await enqueueChanges({ ...dispatch, queues, queueUrl: QUEUE, concerns, collection }, stretch);
    seen.set(collection, stretch.upTo);
    return true;
  }

  async function settle(): Promise<void> {
    for (let told = true; told; ) {
      told = false;
      for (const collection of concerns.collections) told = (await tell(collection)) || told;
      for (let message = messages.shift(); message !== undefined; message = messages.shift()) {
        const again = message;
        await deriver.derive(message).catch((error: Error) => {
          if (!error.message.startsWith('dies')) throw error;
          messages.push(again);
        });
      }
    }
  }
  return { settle: () => clock.during(settle()), counts };
}
