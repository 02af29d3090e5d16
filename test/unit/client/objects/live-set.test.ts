import { describe, expect, it } from '@jest/globals';
import { connect, type LiveReader, resource } from '../../../../lib/client/objects/index.ts';
import { LIVE_TIMING, LiveSet } from '../../../../lib/client/objects/live-set.ts';
import { SelectedSet } from '../../../../lib/client/objects/selected-set.ts';
import { Transport } from '../../../../lib/client/objects/transport.ts';
import { parseSelector } from '../../../../lib/selectors/index.ts';

const DEVICES = resource('fleet.example/v1', 'devices', { kind: 'Device' });
const EVENTS = 20;
const JSON_TYPE = { 'content-type': 'application/json' };

interface Device {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
  };
}

const device = (index: number, { uid = `${index}`, version = index, labels = {} } = {}): Device => ({
  apiVersion: 'fleet.example/v1',
  kind: 'Device',
  metadata: { name: `cam-${index}`, namespace: 'default', uid, resourceVersion: `${version}`, labels },
});

/** The state that a server has. A list at a later resourceVersion fails. */
interface Served {
  version: number;
  items: readonly Device[];
}

/** A server whose state a test replaces, and that sends what a test wants in its open watch. */
class FakeServer {
  served: Served = { version: 1, items: [] };
  lists = 0;
  #watch: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly fetch = (async (input: string, init?: RequestInit) => {
    const { searchParams } = new URL(input);
    const { version, items } = this.served;
    const at = Number(searchParams.get('resourceVersion'));
    if (searchParams.get('watch') === 'true') return this.#open(init?.signal);
    if (at > version) {
      const causes = [{ reason: 'ResourceVersionTooLarge' }];
      const status = { kind: 'Status', code: 504, reason: 'Timeout', details: { causes } };
      return new Response(JSON.stringify(status), { status: 504, headers: { 'retry-after': '1' } });
    }
    if (at === 0) this.lists += 1;
    const list = { kind: 'DeviceList', metadata: { resourceVersion: `${version}` }, items };
    return new Response(JSON.stringify(list), { headers: JSON_TYPE });
  }) as typeof fetch;

  /** Sends events in one piece. */
  send(...events: readonly { readonly type: string; readonly object: Device }[]): void {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    this.#watch?.enqueue(new TextEncoder().encode(text));
  }

  /** Ends the watch, as a server that stops does. */
  endWatch(): void {
    this.#watch?.close();
  }

  #open(signal: AbortSignal | null | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#watch = stream;
        signal?.addEventListener('abort', () => stream.error(signal.reason));
      },
    });
    return new Response(body, { headers: JSON_TYPE });
  }
}

const settled = () => new Promise((done) => setTimeout(done));

/** What a set tells its listeners, as text. */
function record(set: LiveReader<unknown>): string[] {
  const told: string[] = [];
  set.on('add', ({ metadata }) => told.push(`add ${metadata.uid}`));
  set.on('update', ({ metadata }) => told.push(`update ${metadata.uid}`));
  set.on('delete', ({ metadata }) => told.push(`delete ${metadata.uid}`));
  set.on('synced', () => told.push('synced'));
  set.on('error', () => {});
  return told;
}

describe('A live set', () => {
  it('Observers are called once for the events of one piece of the answer', async () => {
    const server = new FakeServer();
    const live = connect({ url: 'http://127.0.0.1:1', fetch: server.fetch })
      .objects(DEVICES, { namespace: 'default' })
      .live();
    await live.ready;
    await settled();
    const sizes: number[] = [];
    live.subscribe(() => sizes.push(live.snapshot().length));
    const told = record(live);
    const objects = Array.from({ length: EVENTS }, (_, index) => device(index + 2));
    server.send(...objects.map((object) => ({ type: 'ADDED', object })));
    await settled();
    expect([sizes, told.length]).toEqual([[EVENTS], EVENTS]);
    await live.stop();
  });

  it.each([
    ['has not reached the resourceVersion of the set yet', 3],
    ['has reached it again', 9],
  ])('After a server that began anew %s, the set lists anew and tells the difference', async (_, version) => {
    const server = new FakeServer();
    server.served = { version: 7, items: [device(1), device(2)] };
    const selected = { path: '/apis/fleet.example/v1/devices', query: {} };
    const transport = new Transport({ url: 'http://127.0.0.1:1', fetch: server.fetch });
    const timing = { ...LIVE_TIMING, firstPause: 1 };
    const live = new LiveSet(new SelectedSet(transport, selected), {}, timing);
    const told = record(live);
    await live.ready;
    await settled();
    // The first object has the same name and resourceVersion as in the former table.
    server.served = { version, items: [device(1, { uid: 'new' })] };
    const synced = new Promise<void>((resolve) => live.on('synced', resolve));
    server.endWatch();
    await synced;
    expect(told).toEqual(['add 1', 'add 2', 'synced', 'delete 2', 'delete 1', 'add new', 'synced']);
    expect(live.snapshot().map(({ metadata }) => metadata.uid)).toEqual(['new']);
    expect(live.resourceVersion).toBe(`${version}`);
    await live.stop();
  });

  it('After a watch that the server ended, the set goes on without a list', async () => {
    const server = new FakeServer();
    server.served = { version: 7, items: [device(1)] };
    const selected = { path: '/apis/fleet.example/v1/devices', query: {} };
    const transport = new Transport({ url: 'http://127.0.0.1:1', fetch: server.fetch });
    const live = new LiveSet(new SelectedSet(transport, selected), {}, { ...LIVE_TIMING, firstPause: 1 });
    const told = record(live);
    await live.ready;
    await settled();
    server.endWatch();
    const added = new Promise<unknown>((resolve) => live.on('add', resolve));
    const resend = setInterval(() => server.send({ type: 'ADDED', object: device(8) }), 5);
    await added;
    clearInterval(resend);
    expect([told, server.lists]).toEqual([['add 1', 'synced', 'add 8'], 1]);
    await live.stop();
  });
});

describe('A part of a live set', () => {
  it('A part follows its labels without a request, and tells what enters and leaves it', async () => {
    const server = new FakeServer();
    const north = { site: 'north' };
    server.served = { version: 7, items: [device(1, { labels: north }), device(2)] };
    const live = connect({ url: 'http://127.0.0.1:1', fetch: server.fetch })
      .objects(DEVICES, { namespace: 'default' })
      .live();
    const part = live.where(parseSelector('site=north'));
    const canaries = part.where(parseSelector('canary'));
    const [told, toldCanaries] = [record(part), record(canaries)];
    await part.ready;
    await settled();
    const names = () => part.snapshot().map(({ metadata }) => metadata.name);
    expect([names(), part.count, part.complete, part.state]).toEqual([['cam-1'], 1, true, 'live']);
    expect(part.get('cam-2')).toBeUndefined();
    expect(part.get('cam-1')).toBe(live.get('cam-1'));

    const before = part.snapshot();
    let groups = 0;
    const leave = part.subscribe(() => groups++);
    server.send({ type: 'MODIFIED', object: device(2, { version: 8 }) });
    await settled();
    expect([part.snapshot() === before, Object.isFrozen(before), groups]).toEqual([true, true, 1]);
    leave();

    const steps = [
      device(2, { version: 9, labels: north }),
      device(2, { version: 10, labels: { ...north, canary: 'yes' } }),
      device(1, { version: 11 }),
    ];
    server.send(...steps.map((object) => ({ type: 'MODIFIED', object })));
    server.send({ type: 'DELETED', object: device(2, { version: 12, labels: { ...north, canary: 'yes' } }) });
    await settled();
    expect(told).toEqual(['add 1', 'synced', 'add 2', 'update 2', 'delete 1', 'delete 2']);
    expect(toldCanaries).toEqual(['synced', 'add 2', 'delete 2']);
    expect([names(), groups]).toEqual([[], 1]);
    await live.stop();
    expect(part.state).toBe('stopped');
  });
});
