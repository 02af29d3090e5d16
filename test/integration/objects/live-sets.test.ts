import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ForbiddenError } from '../../../lib/client/objects/index.ts';
import { eventually } from '../../support/eventually.ts';
import { Device } from '../../unit/client/objects/fleet.ts';
import { type FleetService, followDevices, startFleetService } from './fleet-service.ts';

type Devices = Awaited<ReturnType<typeof devicesIn>>;
type Held = ReturnType<typeof followDevices>;

const EXPIRED = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
const WATCH = /[?&]watch=true/;

let fleet: FleetService;
const open: Held[] = [];

beforeAll(async () => {
  fleet = await startFleetService();
});

afterEach(async () => {
  fleet.proxy.tamper = () => undefined;
  for (const set of open.splice(0)) await set.stop();
});

afterAll(() => fleet.stop());

/** The devices of one test, in a namespace of its own. */
async function devicesIn(namespace: string) {
  await fleet.service.http.post('/api/v1/namespaces', { metadata: { name: namespace } });
  return fleet.proxied.objects(Device, { namespace });
}

/** A live set of the devices of a test, through the proxy. */
function follow(
  { namespace = '' }: Devices,
  timing: Parameters<typeof followDevices>[1]['timing'] = {},
): Held {
  const set = followDevices(fleet.proxy.url, { namespace, timing });
  open.push(set);
  return set;
}

/** What a live set tells its listeners, as text. */
function record(set: Held): string[] {
  const told: string[] = [];
  set.on('add', ({ metadata }) => told.push(`add ${metadata.name}`));
  set.on('update', ({ spec }, before) => told.push(`update ${before.spec.model} to ${spec.model}`));
  set.on('delete', ({ metadata }) => told.push(`delete ${metadata.name}`));
  set.on('synced', () => told.push('synced'));
  set.on('error', () => {});
  return told;
}

const device = (name: string, site: string, model = 'x2') => ({
  metadata: { name, labels: { site } },
  spec: { model },
});
const namesIn = (set: Held) => set.snapshot().map(({ metadata }) => metadata.name);

describe('A live set', () => {
  it('A live set tells what enters, changes in and leaves the selected set', async () => {
    const devices = await devicesIn('follows');
    await devices.create(device('b', 'north'));
    await devices.create(device('other', 'south'));
    const set = devices.live({ site: ['north'] });
    open.push(set);
    const told = record(set);
    expect([set.state, set.complete]).toEqual(['starting', false]);
    await set.ready;
    expect([set.state, set.complete, set.count, namesIn(set)]).toEqual(['live', true, 1, ['b']]);
    await devices.create(device('a', 'north'));
    await devices.patch('a', { spec: { model: 'x3' } });
    await eventually('a has changed', () => told.includes('update x2 to x3'));
    expect(namesIn(set)).toEqual(['a', 'b']);
    expect(set.get('a', 'follows')).toEqual(await devices.get('a'));
    await devices.relabel('a', { site: 'south' });
    await devices.delete('b');
    await eventually('the set is empty', () => told.includes('delete b'));
    expect(told).toEqual(['add b', 'synced', 'add a', 'update x2 to x3', 'delete a', 'delete b']);
    expect(namesIn(set)).toEqual([]);
  });

  it('A set that is larger than its memory holds the first objects, and counts all', async () => {
    const devices = await devicesIn('large');
    for (const name of ['a', 'b', 'c', 'd']) await devices.create(device(name, 'north'));
    const set = devices.live('', { most: 2 });
    open.push(set);
    await set.ready;
    expect([namesIn(set), set.count, set.complete]).toEqual([['a', 'b'], 4, false]);
    await devices.delete('d');
    await eventually('the set counts three', () => set.count === 3);
    await devices.delete('a');
    await devices.delete('b');
    await eventually('the set holds the rest', () => namesIn(set).join() === 'c');
    expect([set.count, set.complete]).toEqual([1, true]);
  });

  it('The listeners run when the page schedules them, once for a group of changes', async () => {
    const devices = await devicesIn('scheduled');
    const runs: (() => void)[] = [];
    const set = devices.live('', { schedule: (run) => runs.push(run) });
    open.push(set);
    const told = record(set);
    let groups = 0;
    const leave = set.subscribe(() => groups++);
    await devices.create(device('a', 'north'));
    await eventually('the set holds it', () => set.count === 1);
    expect([told, runs.length, groups]).toEqual([[], 1, 0]);
    runs.pop()?.();
    expect([told.includes('add a'), groups]).toEqual([true, 1]);
    await set.ready;
    leave();
  });

  it('A listener that throws is reported, and the others are called', async () => {
    const devices = await devicesIn('throwing');
    await devices.create(device('a', 'north'));
    const set = follow(devices);
    const errors: string[] = [];
    set.on('error', ({ message }) => errors.push(message));
    set.on('add', () => {
      throw new Error('broken');
    });
    const told = record(set);
    await set.ready;
    await eventually('the failure is told', () => errors.length > 0);
    expect([told, errors]).toEqual([['add a', 'synced'], ['broken']]);
  });

  it('A stopped set keeps its objects, and a set that is stopped early is never ready', async () => {
    const devices = await devicesIn('stops');
    await devices.create(device('a', 'north'));
    const ending = new AbortController();
    const set = devices.live('', { signal: ending.signal });
    await set.ready;
    ending.abort();
    await set.stop();
    expect([set.state, namesIn(set)]).toEqual(['stopped', ['a']]);
    const early = devices.live();
    await early.stop();
    await expect(early.ready).rejects.toThrow('stopped before it was complete');
  });

  it('A wrong selector is an error of the call', () => {
    expect(() => fleet.direct.objects(Device).live({ site: [] })).toThrow('has no values');
  });
});

describe('A live set behind a bad network', () => {
  it('After a lost connection the set is stale and goes on where it was', async () => {
    const devices = await devicesIn('cuts');
    await devices.create(device('a', 'north'));
    const set = follow(devices);
    const told = record(set);
    const states: string[] = [];
    set.subscribe(() => states.push(set.state));
    await set.ready;
    await fleet.proxy.next(WATCH);
    const direct = fleet.direct.objects(Device, { namespace: 'cuts' });
    fleet.proxy.tamper = () => ({ status: 503, body: '' });
    fleet.proxy.cut();
    await eventually('the set is stale', () => set.state === 'stale');
    expect(namesIn(set)).toEqual(['a']);
    await direct.create(device('b', 'north'));
    await direct.delete('a');
    const before = fleet.proxy.requests.length;
    fleet.proxy.tamper = () => undefined;
    await eventually('the set has the changes', () => namesIn(set).join() === 'b');
    expect([set.state, told]).toEqual(['live', ['add a', 'synced', 'add b', 'delete a']]);
    expect(states).toEqual(expect.arrayContaining(['stale', 'live']));
    const others = fleet.proxy.requests.slice(before).filter((path) => !WATCH.test(path));
    expect(others.filter((path) => !path.includes('limit=1&'))).toEqual([]);
  });

  it.each([
    ['as the answer', { status: 410, body: JSON.stringify(EXPIRED) }],
    ['as an event', { status: 200, body: `${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n` }],
  ])('After a 410 %s, the set lists anew and tells the difference', async (title, answer) => {
    const devices = await devicesIn(`expires-${title.replaceAll(' ', '-')}`);
    for (const name of ['changes', 'leaves', 'stays']) await devices.create(device(name, 'north'));
    fleet.proxy.tamper = (_, path) => (WATCH.test(path) ? 'silence' : undefined);
    const set = follow(devices);
    const told = record(set);
    await set.ready;
    await devices.delete('leaves');
    await devices.patch('changes', { spec: { model: 'x3' } });
    await devices.create(device('enters', 'north'));
    const answers = [answer];
    fleet.proxy.tamper = (_, path) => (WATCH.test(path) ? answers.pop() : undefined);
    fleet.proxy.cut();
    const begin = ['add changes', 'add leaves', 'add stays', 'synced'];
    await eventually('the set has listed again', () => told.length >= 8);
    expect(told.slice(0, 4)).toEqual(begin);
    expect(told.slice(4)).toEqual(['delete leaves', 'update x2 to x3', 'add enters', 'synced']);
  });

  it('A set that may not be read stops with the error', async () => {
    const devices = await devicesIn('forbids');
    const status = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no role' };
    fleet.proxy.tamper = () => ({ status: 403, body: JSON.stringify(status) });
    const set = follow(devices);
    const errors: Error[] = [];
    set.on('error', (error) => errors.push(error));
    await expect(set.ready).rejects.toBeInstanceOf(ForbiddenError);
    expect(set.state).toBe('stopped');
    expect(errors).toEqual([expect.any(ForbiddenError)]);
  });

  it('After two silent watches the set polls, because answers are buffered on the way', async () => {
    const devices = await devicesIn('buffers');
    const watches: string[] = [];
    fleet.proxy.tamper = (_, path) => {
      if (!WATCH.test(path)) return undefined;
      watches.push(new URLSearchParams(path).get('timeoutSeconds') ?? '');
      return watches.length > 2 ? undefined : 'silence';
    };
    const set = follow(devices, { silence: 50, pollSeconds: 1 });
    record(set);
    await set.ready;
    await eventually('the set polls', () => watches.length > 2);
    await devices.create(device('a', 'north'));
    await eventually('the set has the change', () => namesIn(set).join() === 'a');
    expect(watches.slice(0, 3)).toEqual(['30', '240', '1']);
  });
});
