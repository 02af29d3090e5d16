import { describe, expect, it } from '@jest/globals';
import { createConcerns, createDerivation, MANAGER, objectWriter } from '../../lib/api/index.ts';
import { silentLogger } from '../../lib/platform/index.ts';
import {
  type Collection,
  createStore,
  type JsonObject,
  metadataOf,
  type Table,
} from '../../lib/store/index.ts';
import { oweChanges } from '../../lib/watch/deriving/index.ts';
import { createDeriver, type DueMessage } from '../../lib/watch/index.ts';
import { Chance } from '../conformance/placement/chance.ts';
import { createMemoryApi, type MemoryApi } from '../support/service/memory-api.ts';
import { Role } from '../support/template/role.ts';
import { seeded } from '../support/watch/memory-world.ts';
import { synthesized } from '../unit/infra/synthesized.ts';

const ROUNDS = Number(process.env.WINNOW_SEEDS ?? 40);
const CHANGES = 12;
const TIMEOUT = 300_000 + 10_000 * ROUNDS;
const QUEUE = 'derive.fifo';
const CORE = '/api/v1/namespaces/default';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const SERVICES = ['one', 'two', 'three'];
const PODS = Array.from({ length: 9 }, (_, index) => `pod-${index}`);
const NODES = ['n1', 'n2'];

describe('derived endpoints, by what the roles allow', () => {
  it(
    `are what there is when all is quiet, after ${ROUNDS} times ${CHANGES} changes and writes that fail`,
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
  'what a finalizer holds of a slice that was deleted is left alone, and another one takes its place',
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

/** Dispatch's part and that of derive, a step at a time, each with the role that it is deployed with. */
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
  /** A function may die before a write, and after it. */
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
    await oweChanges({ ...dispatch, queues, queueUrl: QUEUE, concerns, collection }, stretch);
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

async function changeSomething(api: MemoryApi, chance: Chance): Promise<void> {
  const pod = chance.pick(PODS);
  const service = chance.pick(SERVICES);
  switch (chance.below(12)) {
    case 0:
      await api.send('DELETE', `${CORE}/pods/${pod}?gracePeriodSeconds=0`);
      break;
    case 1:
      await api.send('PATCH', `${CORE}/pods/${pod}`, { metadata: { labels: labels(chance) } }, MERGE);
      break;
    case 2:
      await api.send('DELETE', `${CORE}/services/${service}`);
      break;
    case 3:
      await api.send('PATCH', `${CORE}/services/${service}`, { spec: { selector: selector(chance) } }, MERGE);
      break;
    case 4: {
      const publishNotReadyAddresses = chance.chance(0.5);
      await api.send('PATCH', `${CORE}/services/${service}`, { spec: { publishNotReadyAddresses } }, MERGE);
      break;
    }
    case 5: {
      const metadata = { name: chance.pick(NODES), labels: { [ZONE]: chance.pick(['east', 'west']) } };
      const made = await api.send('POST', '/api/v1/nodes', { metadata });
      if (made.status === 409) await api.send('PATCH', `/api/v1/nodes/${metadata.name}`, { metadata }, MERGE);
      break;
    }
    case 6: {
      // Somebody edits a slice, or takes it away.
      const [slice] = chance.shuffled(itemsOf(await api.ask('GET', SLICES)));
      if (slice === undefined) break;
      const path = `${SLICES}/${metadataOf(slice).name}`;
      await (chance.chance(0.5)
        ? api.send('DELETE', path)
        : api.send('PATCH', path, { endpoints: [{ addresses: ['192.0.2.1'] }] }, MERGE));
      break;
    }
    case 7:
      await api.send('POST', `${CORE}/services`, {
        metadata: { name: service },
        spec: { clusterIP: 'None', selector: { app: 'a' }, ports: [{ port: 80 }] },
      });
      break;
    case 8:
      await api.send('PATCH', `${CORE}/pods/${pod}/status`, { status: addressOf(chance) }, MERGE);
      break;
    default:
      await register(api, chance, pod);
  }
}

function addressOf(chance: Chance) {
  const ip = `10.0.0.${chance.below(200)}`;
  return { podIP: ip, podIPs: [{ ip }] };
}

async function register(api: MemoryApi, chance: Chance, name: string): Promise<void> {
  await api.send('POST', `${CORE}/pods`, {
    metadata: { name, labels: labels(chance) },
    spec: { nodeName: chance.pick(NODES), containers: [{ name: 'c', image: 'i' }] },
  });
  const conditions = [{ type: 'Ready', status: chance.pick(['True', 'False']) }];
  const phase = chance.pick(['Running', 'Running', 'Failed']);
  const status = { ...addressOf(chance), phase, conditions };
  await api.send('PATCH', `${CORE}/pods/${name}/status`, { status }, MERGE);
}

const MERGE = 'application/merge-patch+json';
const ZONE = 'topology.kubernetes.io/zone';

function labels(chance: Chance): JsonObject {
  return { app: chance.pick(['a', 'b']), tier: chance.pick(['x', 'y']) };
}

/** Merged into another one. */
function selector(chance: Chance): JsonObject {
  return chance.pick([
    { app: 'a', tier: null },
    { app: 'b', tier: null },
    { app: null, tier: 'x' },
  ]);
}

/** Every endpoint of the Service in a line, as its slices tell it, and as its Endpoints do. */
async function derived(api: MemoryApi, service: JsonObject) {
  const { name, uid } = metadataOf(service);
  const slices = itemsOf(await api.ask('GET', `${SLICES}?labelSelector=kubernetes.io/service-name=${name}`));
  const owned = slices.filter((slice) =>
    JSON.stringify(metadataOf(slice).ownerReferences).includes(`${uid}`),
  );
  const endpoints = owned.flatMap((slice) => (slice.endpoints ?? []) as unknown as Endpoint[]);
  const whole = await api.ask('GET', `${CORE}/endpoints/${name}`);
  const subsets = (whole.subsets ?? []) as unknown as Subset[];
  return {
    slices: endpoints
      .map(({ addresses, conditions, zone }) => `${addresses[0]} ${conditions.ready} ${zone ?? ''}`)
      .toSorted(),
    endpoints: subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)).toSorted(),
  };
}

/** The same, counted by hand. */
async function naive(api: MemoryApi, service: JsonObject) {
  const { selector, publishNotReadyAddresses = false } = service.spec as unknown as Spec;
  const nodes = itemsOf(await api.ask('GET', '/api/v1/nodes'));
  const zoneOf = (name: string) => {
    const node = nodes.find(({ metadata }) => (metadata as JsonObject).name === name);
    return (metadataOf(node ?? {}).labels as Record<string, string> | undefined)?.[ZONE] ?? '';
  };
  const pods = itemsOf(await api.ask('GET', `${CORE}/pods`)) as unknown as NaivePod[];
  const selected = pods.filter(
    ({ metadata, status }) =>
      status.podIP !== undefined &&
      status.phase !== 'Failed' &&
      Object.entries(selector).every(([key, value]) => metadata.labels[key] === value),
  );
  const ready = ({ status }: NaivePod) =>
    publishNotReadyAddresses ||
    status.conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  return {
    slices: selected
      .map((pod) => `${pod.status.podIP} ${ready(pod)} ${zoneOf(pod.spec.nodeName)}`)
      .toSorted(),
    endpoints: selected
      .filter(ready)
      .map(({ status }) => status.podIP ?? '')
      .toSorted(),
  };
}

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean };
  readonly zone?: string;
}

interface Subset {
  readonly addresses?: readonly { readonly ip: string }[];
}

interface Spec {
  readonly selector: Readonly<Record<string, string>>;
  readonly publishNotReadyAddresses?: boolean;
}

interface NaivePod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly nodeName: string };
  readonly status: {
    readonly podIP?: string;
    readonly phase: string;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
}

function itemsOf(list: JsonObject): JsonObject[] {
  return list.items as JsonObject[];
}
