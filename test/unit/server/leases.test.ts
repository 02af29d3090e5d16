import { beforeEach, describe, expect, it } from '@jest/globals';
import { createConcerns, createDerivation, MANAGER } from '../../../lib/controllers/deriving/index.ts';
import { createDeriver, type DueMessage, enqueueChanges } from '../../../lib/coordination/index.ts';
import { type Collection, type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { objectWriter, statusWriter } from '../../../lib/server/index.ts';
import { duePartition, roundsKey } from '../../../lib/store/index.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const PODS = '/api/v1/namespaces/default/pods';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const MERGE = 'application/merge-patch+json';
const SECONDS = 10;
const READY = { type: 'Ready', status: 'True' };

let api: MemoryApi;
let settle: () => Promise<void>;
let works: number;

beforeEach(async () => {
  api = await createMemoryApi();
  works = 0;
  settle = await settling('leases');
  await api.ask('POST', PODS, {
    metadata: { name: 'web', labels: { 'winnow.dev/lease': 'host' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await renew();
  await say(READY);
  await settle();
});

/** Runs dispatch and derive with the schedule of the minute until nothing is left to do. */
async function settling(chosen: string): Promise<() => Promise<void>> {
  const { clock, world } = api.memory;
  const { table, store } = world;
  const messages: DueMessage[] = [];
  const queues = {
    sendBatch: async (_: string, all: readonly { readonly body: string }[]) => {
      messages.push(...all.map(({ body }) => JSON.parse(body)));
      return [];
    },
  } as never;
  const outside = { table, store, queues, clock, random: seeded(2), logger: silentLogger, queueUrl: '' };
  const concerns = createConcerns(chosen);
  const writing = { manager: MANAGER, deadline: () => AbortSignal.timeout(60_000), announce: async () => {} };
  const write = statusWriter({ ...outside, ...writing });
  const derivation = createDerivation({
    chosen,
    clock,
    writeStatus: async (collection, object) => {
      works += 1;
      await write(collection, object);
    },
    objects: objectWriter({ ...outside, ...writing }),
  });
  const deriver = createDeriver({ ...outside, derivation });
  // As if all objects had been derived since the setting changed.
  await table.put({ ...roundsKey, chosen, rounds: 2, began: 0 });
  const seen = new Map<Collection, number>();
  const turn = async (collection: Collection) => {
    const head = await store.head(collection);
    const from = seen.get(collection) ?? 1;
    if (head <= from) return;
    const stretch = await store.decidedChanges(collection, from, head);
    await enqueueChanges({ ...outside, concerns, collection }, stretch);
    seen.set(collection, stretch.upTo);
  };
  const round = async () => {
    for (const collection of concerns.collections) await turn(collection);
    await deriver.tick();
    for (const { collection, name } of messages.splice(0)) await deriver.derive({ collection, name });
  };
  return () =>
    clock.during(
      (async () => {
        for (let count = 0; count < 3; count += 1) await round();
      })(),
    );
}

async function renew(): Promise<void> {
  const renewTime = `${new Date(api.memory.clock.now()).toISOString().slice(0, -1)}000Z`;
  const spec = { holderIdentity: 'host', leaseDurationSeconds: SECONDS, renewTime };
  const { status } = await api.send('POST', LEASES, { metadata: { name: 'host' }, spec });
  if (status === 409) await api.ask('PATCH', `${LEASES}/host`, { spec }, MERGE);
}

const say = (ready: JsonObject) =>
  api.ask('PATCH', `${PODS}/web/status`, { status: { conditions: [ready] } }, MERGE);

async function readiness(): Promise<string> {
  const pod = await api.ask('GET', `${PODS}/web`);
  const [ready = {}] = objectAt(pod.status).conditions as JsonObject[];
  return [ready.status, ready.reason ?? ''].join(' ').trim();
}

const pass = (seconds: number) => api.memory.clock.advance(seconds * 1_000);

describe('A pod that names a Lease', () => {
  it('A pod is ready while its Lease is renewed, and renewals cause no work before the former expiry', async () => {
    for (let count = 0; count < 5; count += 1) {
      pass(3);
      await renew();
      await settle();
      expect(await readiness()).toBe('True');
    }
    expect(works).toBe(0);
  });

  it('A pod is marked not ready once when the Lease expires, and ready again when it is renewed', async () => {
    pass(SECONDS - 1);
    await settle();
    expect(await readiness()).toBe('True');
    pass(2);
    await settle();
    await settle();
    expect([await readiness(), works]).toEqual(['False LeaseExpired', 1]);
    await renew();
    await settle();
    expect([await readiness(), works]).toEqual(['True', 2]);
    pass(SECONDS + 1);
    await settle();
    expect(await readiness()).toBe('False LeaseExpired');
  });

  it('A pod is not ready when its Lease is deleted, whatever its registrar writes meanwhile', async () => {
    await api.ask('DELETE', `${LEASES}/host`);
    await settle();
    expect(await readiness()).toBe('False LeaseExpired');
    await say(READY);
    await settle();
    expect(await readiness()).toBe('False LeaseExpired');
    await renew();
    await settle();
    expect(await readiness()).toBe('True');
  });

  it('A pod that reports itself as not ready stays so', async () => {
    await say({ type: 'Ready', status: 'False', reason: 'Draining' });
    await settle();
    pass(SECONDS + 1);
    await settle();
    await renew();
    await settle();
    expect([await readiness(), works]).toEqual(['False Draining', 0]);
  });

  it('A deleted pod leaves no work item', async () => {
    await api.ask('DELETE', `${PODS}/web?gracePeriodSeconds=0`);
    pass(SECONDS + 1);
    await settle();
    const { table } = api.memory.world;
    const rows = await Promise.all(
      [0, 1, 2, 3].map((shard) => table.query({ partition: duePartition(shard), from: '!', to: '~' })),
    );
    expect(rows.flatMap((answer) => answer.rows)).toEqual([]);
  });
});

describe('The slices of a Service whose pods have Leases', () => {
  it("The slices have the pods that are ready and whose Lease is valid, in agreement with a reader's clock", async () => {
    settle = await settling('endpointslices,leases');
    await api.ask('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'web' },
      spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    await api.ask('PATCH', `${PODS}/web`, { metadata: { labels: { app: 'web' } } }, MERGE);
    await api.ask(
      'PATCH',
      `${PODS}/web/status`,
      { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] } },
      MERGE,
    );
    const chance = seeded(3);
    let isSaid = true;
    let end = api.memory.clock.now() + SECONDS * 1_000;
    const told: boolean[] = [];
    for (let step = 0; step < 24; step += 1) {
      pass(Math.floor(chance.fraction() * SECONDS));
      const roll = chance.fraction();
      if (roll < 0.4) {
        await renew();
        end = api.memory.clock.now() + SECONDS * 1_000;
      } else if (roll < 0.65) {
        isSaid = chance.fraction() < 0.7;
        await say({ type: 'Ready', status: isSaid ? 'True' : 'False' });
      }
      await settle();
      const { items } = await api.ask('GET', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices');
      const ready = JSON.stringify(items).includes('"ready":true');
      expect([step, ready]).toEqual([step, isSaid && end > api.memory.clock.now()]);
      told.push(ready);
    }
    expect(new Set(told).size).toBe(2);
  });
});

describe('A deployment that does not follow Leases', () => {
  it('A pod stays unchanged without Leases', async () => {
    settle = await settling('status');
    pass(SECONDS + 1);
    await settle();
    expect([await readiness(), works]).toEqual(['True', 0]);
  });
});
