import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { seeded } from '../../support/watch/memory-world.ts';
import { Device } from '../../unit/client/objects/fleet.ts';
import { type FleetService, followDevices, startFleetService } from './fleet-service.ts';

const SEEDS = [1, 2, 3];
const STEPS = 150;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const EXPIRED = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
});

afterAll(() => fleet.stop());

it.each(SEEDS)('After random changes, cuts and expiries (%i), the live set equals a LIST', async (seed) => {
  const random = seeded(seed);
  const among = <One>(all: readonly One[]) => all[Math.floor(random.fraction() * all.length)] as One;
  const namespace = `random-${seed}`;
  await fleet.service.http.post('/api/v1/namespaces', { metadata: { name: namespace } });
  const direct = fleet.direct.objects(Device, { namespace });
  const selector = 'site=north';
  const set = followDevices(fleet.proxy.url, { namespace, selector, pageSize: 2 });
  const told = new Map<string, string>();
  set.on('add', ({ metadata }) => told.set(metadata.name, metadata.resourceVersion));
  set.on('update', ({ metadata }) => told.set(metadata.name, metadata.resourceVersion));
  set.on('delete', ({ metadata }) => told.delete(metadata.name));
  set.on('error', () => {});
  fleet.proxy.tamper = (_, path) => {
    const chance = random.fraction();
    if (chance < 0.1) return 'lost';
    if (chance < 0.2) return 'cut';
    if (chance < 0.3) return { status: 503, body: '' };
    return chance < 0.5 && /watch=true/.test(path)
      ? { status: 410, body: JSON.stringify(EXPIRED) }
      : undefined;
  };
  try {
    for (let step = 0; step < STEPS; step++) {
      const name = among(NAMES);
      const site = among(['north', 'south']);
      await (among([true, true, false])
        ? direct.apply({ metadata: { name, labels: { site } }, spec: { model: `x${step}` } }, { force: true })
        : direct.delete(name).catch(() => {}));
      if (random.fraction() < 0.1) fleet.proxy.cut();
    }
    fleet.proxy.tamper = () => undefined;
    const listed = await direct.list(selector).toArray();
    await eventually('the live set equals the LIST', () => {
      return JSON.stringify(set.snapshot()) === JSON.stringify(listed);
    });
    const versions = listed.map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
    expect([...told].sort()).toEqual(versions);
    expect(set.count).toBe(listed.length);
  } finally {
    await set.stop();
  }
});

it('After the server began anew with an empty table, the live set has the objects of that table', async () => {
  const namespace = 'restarts';
  const create = async ({ service, direct }: FleetService, ...names: string[]) => {
    await service.http.post('/api/v1/namespaces', { metadata: { name: namespace } });
    const devices = direct.objects(Device, { namespace });
    for (const name of names) await devices.create({ metadata: { name }, spec: { model: 'x' } });
    return devices.list().toArray();
  };
  const { url } = fleet.proxy;
  const rerouted = ((input: string, init?: RequestInit) =>
    fetch(input.replace(url, fleet.proxy.url), init)) as typeof fetch;
  const set = followDevices(url, { namespace, fetch: rerouted });
  set.on('error', () => {});
  const equals = (objects: unknown) =>
    eventually('the set equals the table', () => JSON.stringify(set.snapshot()) === JSON.stringify(objects));
  try {
    await equals(await create(fleet, 'a', 'b', 'c'));
    await fleet.stop();
    fleet = await startFleetService();
    await equals(await create(fleet, 'a'));
    await fleet.direct.objects(Device, { namespace }).delete('a');
    await equals([]);
  } finally {
    await set.stop();
  }
});
