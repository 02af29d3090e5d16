import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { everything, parseSelector } from '../../../../lib/selectors/index.ts';
import {
  type Committed,
  createStore,
  createWatches,
  GoneError,
  headKey,
  type Row,
  type Store,
  type WatchEvent,
  type Watches,
  type WatchRequest,
} from '../../../../lib/store/index.ts';
import { createFaultyTable } from '../../../support/store/faulty-table.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

let memory: MemoryWorld;
let watches: Watches;

beforeEach(async () => {
  memory = await createMemoryWorld();
  watches = newWatches();
});

function newWatches(): Watches {
  const { clock, random, faults } = memory.world;
  const store = faults.around('store', memory.world.newStore());
  const note = (message: string, data?: Record<string, unknown>) =>
    memory.world.problems.push({ message, data });
  return createWatches({
    store,
    clock,
    random,
    logger: { debug: note, info: note, warn: note, error: note },
  });
}

const never = () => new AbortController().signal;

/** Watches until the watch is over by itself or `count` events came. */
async function watched(
  request: Partial<WatchRequest>,
  count = Number.POSITIVE_INFINITY,
  step = 250,
): Promise<WatchEvent[]> {
  const defaults = { selector: everything, bookmarks: false, timeout: 5_000, signal: never() };
  const events: WatchEvent[] = [];
  const read = async () => {
    for await (const event of await watches.open(PODS, { ...defaults, ...request })) {
      events.push(event);
      if (events.length === count) return;
    }
  };
  await memory.clock.during(read(), { step });
  return events;
}

function text(event: WatchEvent): string {
  if ('object' in event) return `${event.type} ${event.object.name.name}@${event.object.rv}`;
  return event.type === 'BOOKMARK' ? `BOOKMARK ${event.rv}` : event.type;
}

describe('the end of the initial events', () => {
  const isMarked = (event: WatchEvent) => event.type === 'BOOKMARK' && event.endsInitial === true;

  it.each([
    [true, true, 1],
    [true, false, 0],
    [false, true, 0],
  ])('is marked on request (%s), with bookmarks (%s)', async (marksInitial, bookmarks, marks) => {
    const rv = await memory.world.put('default/a');
    const events = await watched({ marksInitial, bookmarks });
    expect(events[0]).toMatchObject({ type: 'ADDED' });
    expect(events.filter(isMarked)).toHaveLength(marks);
    const versions = events.filter(isMarked).map((event) => 'rv' in event && event.rv);
    expect(versions).toEqual(Array(marks).fill(rv));
  });

  it('is not marked for a watch from a version', async () => {
    const from = await memory.world.put('default/a');
    const events = await watched({ from, marksInitial: true, bookmarks: true });
    expect(events.filter(isMarked)).toEqual([]);
  });
});

describe('a watch from a version', () => {
  it('sends the changes after it, and then new changes', async () => {
    const { world } = memory;
    const from = await world.put('default/a');
    const b = await world.put('default/b');
    const reading = watched({ from }, 3);
    const gone = await world.remove('default/a');
    const c = await world.put('default/c');
    expect((await reading).map(text)).toEqual([`ADDED b@${b}`, `DELETED a@${gone}`, `ADDED c@${c}`]);
  });

  it('reports objects that enter and leave by labels, name, namespace and other criteria', async () => {
    const { world } = memory;
    const from = await world.put('other/a', { app: 'web' });
    const entered = await world.put('default/a', { app: 'web' });
    const left = await world.put('default/a', { app: 'db' });
    const b = await world.put('default/b', { app: 'web' });
    await world.put('other/b', { app: 'web' });
    const selector = parseSelector('app=web');
    const events = await watched({ from, selector, namespace: 'default' });
    expect(events.map(text)).toEqual([`ADDED a@${entered}`, `DELETED a@${left}`, `ADDED b@${b}`]);
    const named = await watched({ from, selector, namespace: 'default', name: 'b' });
    expect(named.map(text)).toEqual([`ADDED b@${b}`]);
    const matched = await watched({ from, matches: ({ rv }) => rv === entered });
    expect(matched.map(text)).toEqual([`ADDED a@${entered}`, `DELETED a@${left}`]);
  });

  it('catches up with more changes than it reads at a time', async () => {
    const from = await memory.world.put('default/a');
    for (let index = 0; index < 1_100; index += 1) await memory.world.put('default/a', { round: `${index}` });
    const events = await watched({ from });
    expect(events.map((event) => ('object' in event ? event.object.rv : 0))).toEqual(
      Array.from({ length: 1_100 }, (_, index) => from + 1 + index),
    );
  });

  it('waits for a version that does not exist yet', async () => {
    const { world } = memory;
    const rv = await world.put('default/a');
    const watching = watched({ from: rv + 1, timeout: 60_000 }, 1);
    for (const round of ['1', '2']) await world.put('default/a', { round });
    expect((await watching).map(text)).toEqual([`MODIFIED a@${rv + 2}`]);
  });

  it('is refused below the compacted watermark', async () => {
    const { world } = memory;
    const rv = await world.put('default/a');
    const request = { selector: everything, bookmarks: false, timeout: 1_000, signal: never() };
    await world.store.raise(PODS, 'compacted', rv);
    await expect(watches.open(PODS, { ...request, from: rv - 1 })).rejects.toThrow(GoneError);
    await expect(watches.open(PODS, { ...request, from: rv })).resolves.toBeDefined();
  });

  it('ends with GONE if its next change is compacted meanwhile', async () => {
    const { world, clock } = memory;
    const from = await world.put('default/a');
    const request = { from, selector: everything, bookmarks: true, timeout: 60_000, signal: never() };
    const stream = (await watches.open(PODS, request))[Symbol.asyncIterator]();
    const next = clock.during(stream.next());
    const rv = await world.put('default/b');
    await world.table.delete({ pk: `journal#${PODS}#${rv % 8}`, sk: String(rv).padStart(16, '0') });
    await world.store.raise(PODS, 'compacted', rv);
    expect((await next).value).toMatchObject({ type: 'GONE', message: expect.any(String) });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a watch that is far behind', () => {
  /** Changes of one object, and a table that takes a second for each read of the journal. */
  async function behind(changes: number) {
    const { world, clock } = memory;
    const from = await world.put('default/a');
    for (let index = 0; index < changes; index += 1) await world.put('default/a', { round: `${index}` });
    const reads: number[] = [];
    const table = createFaultyTable(world.table, {
      batchGet: async (next, keys, signal) => {
        reads.push(keys.length);
        await clock.sleep(1_000);
        return next(keys, signal);
      },
    });
    const store = createStore({ table, clock, random: world.random, logger: silentLogger });
    watches = createWatches({ store, clock, random: world.random, logger: silentLogger });
    await clock.during(store.nextChanges(PODS, from - 1, from));
    reads.length = 0;
    return { from, reads };
  }

  it('sends what it read before it reads on', async () => {
    const { from, reads } = await behind(400);
    expect((await watched({ from }, 1)).map(text)).toEqual([`MODIFIED a@${from + 1}`]);
    expect(reads).toEqual([100]);
  });

  it('makes progress however soon it ends, and the next watch continues from there', async () => {
    const { from, reads } = await behind(400);
    const told: number[] = [];
    let position = from;
    for (let watch = 0; watch < 4; watch += 1) {
      const events = await watched({ from: position, bookmarks: true, timeout: 500 });
      for (const event of events) if ('object' in event) told.push(event.object.rv);
      const last = events.at(-1);
      expect(last).toEqual({ type: 'BOOKMARK', rv: told.at(-1) });
      position = told.at(-1) ?? 0;
    }
    expect(told).toEqual(Array.from({ length: 400 }, (_, index) => from + 1 + index));
    expect(reads).toEqual([100, 100, 100, 100]);
  });

  it('makes progress by its bookmarks if no change matches', async () => {
    const { from } = await behind(400);
    const selector = parseSelector('app=db');
    const events = await watched({ from, selector, bookmarks: true, timeout: 1_500 });
    expect(events.map(text)).toEqual([`BOOKMARK ${from + 200}`]);
  });
});

describe('a watch that meets gaps of unfinished writers', () => {
  /** A resourceVersion that is allotted, and never written. */
  const allot = () => memory.world.table.update(headKey(PODS), { add: { rv: 1 } });

  it('sends the decided changes below them at once, and waits for all gaps together', async () => {
    const { world, clock } = memory;
    const from = await world.put('default/a');
    const told = new Map<string, number>();
    const began = clock.now();
    for (const name of ['b', 'c', 'd']) {
      await world.put(`default/${name}`);
      await allot();
    }
    const request = { from, selector: everything, bookmarks: false, timeout: 60_000, signal: never() };
    const read = async () => {
      for await (const event of await watches.open(PODS, request)) {
        if ('object' in event) told.set(event.object.name.name, clock.now() - began);
        if (told.size === 3) return;
      }
    };
    await clock.during(read());
    expect([...told.keys()]).toEqual(['b', 'c', 'd']);
    expect(told.get('b')).toBe(0);
    expect(told.get('c')).toBeGreaterThanOrEqual(TIMING.grace);
    expect(told.get('d')).toBeLessThan(TIMING.grace + 1_000);
  });

  it('sends no bookmark beyond them, however it ends', async () => {
    const { world } = memory;
    const from = await world.put('default/a');
    const b = await world.put('default/b');
    await allot();
    await world.put('default/c');
    let asked = 0;
    world.faults.crash = (call) => {
      if (call === 'store.nextChanges') asked += 1;
      return asked === 2 ? 'before' : undefined;
    };
    const events = await watched({ from, bookmarks: true });
    expect(events.map(text)).toEqual([`ADDED b@${b}`, `BOOKMARK ${b}`]);
  });
});

describe('a watch without a version', () => {
  it('sends all present objects as ADDED, and then new changes', async () => {
    const { world } = memory;
    for (let index = 0; index < 120; index += 1) {
      await world.put(`default/p${String(index).padStart(3, '0')}`);
    }
    await world.put('default/q', { app: 'web' });
    const reading = watched({ selector: parseSelector('!app') }, 121);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    const rv = await world.remove('default/p007');
    const events = await reading;
    expect(events.slice(0, 120).map(({ type }) => type)).toEqual(Array(120).fill('ADDED'));
    expect(events.slice(120).map(text)).toEqual([`DELETED p007@${rv}`]);
  });
});

describe('a quiet watch', () => {
  it('sends a heartbeat before clients time out', async () => {
    const from = await memory.world.put('default/a');
    const events = await watched({ from, timeout: 2.5 * TIMING.watchHeartbeat });
    expect(events.map(text)).toEqual(['HEARTBEAT', 'HEARTBEAT']);
  });

  it('sends bookmarks on request, the last one as it ends', async () => {
    const { world } = memory;
    const from = await world.put('default/a');
    const head = await world.put('default/b', { app: 'web' });
    const events = await watched({
      from,
      selector: parseSelector('app=db'),
      bookmarks: true,
      timeout: 1.5 * TIMING.watchBookmark,
    });
    expect(events.filter(({ type }) => type === 'BOOKMARK').map(text)).toEqual([
      ...[`BOOKMARK ${head}`, `BOOKMARK ${head}`],
    ]);
    expect(events.at(-1)?.type).toBe('BOOKMARK');
  });

  it('reads the journal soon after a change, because the next one may be near, and rarely in silence', async () => {
    const { clock, world } = memory;
    const from = await world.put('default/a');
    const looks: number[] = [];
    world.faults.crash = (name) => {
      if (READS.includes(name)) looks.push(clock.now());
      return undefined;
    };
    const began = clock.now();
    const changed = clock.sleep(60_000).then(() => world.put('default/a'));
    await watched({ from, timeout: 90_000 }, Number.POSITIVE_INFINITY, 20);
    await changed;
    const between = (first: number, last: number) =>
      looks.filter((at) => at > began + first && at <= began + last).length;
    expect(between(0, 60_000)).toBeGreaterThanOrEqual(60_000 / TIMING.watchPoll);
    expect(between(0, 60_000)).toBeLessThanOrEqual(60_000 / (TIMING.watchPoll / 2));
    expect(between(60_500, 62_500)).toBeGreaterThanOrEqual(2_000 / (TIMING.watchPollBusy + 20));
    expect(between(60_500, 62_500)).toBeLessThanOrEqual(2_000 / (TIMING.watchPollBusy / 2));
  });

  it('ends by itself at its timeout', async () => {
    const { clock, world } = memory;
    const from = await world.put('default/a');
    const began = clock.now();
    expect(await watched({ from, timeout: 3_000 })).toEqual([]);
    expect(clock.now() - began).toBeGreaterThanOrEqual(3_000);
    expect(clock.now() - began).toBeLessThan(3_000 + 2 * TIMING.watchPoll);
  });
});

describe('a watch that its client closes', () => {
  it('ends at once, also during silence, without a bookmark', async () => {
    const { world, clock } = memory;
    const from = await world.put('default/a');
    const leaving = new AbortController();
    const request = { from, selector: everything, bookmarks: true, timeout: 60_000, signal: leaving.signal };
    const stream = (await watches.open(PODS, request))[Symbol.asyncIterator]();
    const next = stream.next();
    while (clock.sleepers === 0) await new Promise(setImmediate);
    leaving.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('sends nothing if the client closed it before it began', async () => {
    const from = await memory.world.put('default/a');
    await memory.world.put('default/b');
    expect(await watched({ from, bookmarks: true, signal: AbortSignal.abort() })).toEqual([]);
  });

  it('leaves no listener behind, however it ends', async () => {
    const { signal } = new AbortController();
    const from = await memory.world.put('default/a');
    await memory.world.put('default/b');
    await watched({ from, signal, timeout: 2_000 });
    await watched({ from, signal }, 1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('many watches', () => {
  it('of one collection read its journal together', async () => {
    const { world } = memory;
    const from = await world.put('default/a');
    const one = await readsAskedFor(() => watched({ from, timeout: 20_000 }));
    const many = await readsAskedFor(() =>
      memory.clock.during(Promise.all(Array.from({ length: 20 }, () => watched({ from, timeout: 20_000 })))),
    );
    // Each asks once as it opens.
    expect(one).toBeGreaterThan(30);
    expect(many - 20).toBeLessThanOrEqual((one - 1) * 1.3);
  });
});

describe('a write in the process of the watch', () => {
  /** The number of reads by which watches found new changes. */
  let reads: number;
  /** A store whose writes wake the watches. */
  function wakingStore() {
    reads = 0;
    const { table, clock, random, store } = memory.world;
    const listeners: Committed[] = [];
    const committed: Committed = (...write) => {
      for (const listener of listeners) listener(...write);
    };
    const logger = silentLogger;
    const arrived: Store['arrived'] = (...asked) => {
      if (asked[3] === undefined) reads += 1;
      return store.arrived(...asked);
    };
    const reading = { ...store, arrived };
    const onCommitted = (listener: Committed) => listeners.push(listener);
    watches = createWatches({ store: reading, clock, random, logger, onCommitted });
    return createStore({ table, clock, random, logger, committed });
  }
  const request = { selector: everything, bookmarks: false, timeout: 60_000, signal: never() };
  const put = (store: Store, name: string, collection: Collection = PODS) =>
    store.write(collection, { namespace: 'default', name }, () => ({
      kind: 'put',
      body: { metadata: { uid: name, namespace: 'default', name } },
    }));

  it('is sent to the watches of its collection at once, without a read', async () => {
    const from = await memory.world.put('default/a');
    const store = wakingStore();
    const open = async () => (await watches.open(PODS, { ...request, from }))[Symbol.asyncIterator]();
    const streams = [await open(), await open()];
    for (const name of ['b', 'c', 'd']) {
      const told = Promise.all(streams.map((stream) => stream.next()));
      while (memory.clock.sleepers === 0) await new Promise(setImmediate);
      reads = 0;
      await put(store, name);
      const names = (await told).map(({ value }) => 'object' in value && value.object.name.name);
      expect(names).toEqual([name, name]);
      expect(reads).toBe(0);
    }
  });

  it('is sent in order if it commits before a write with a lower resourceVersion', async () => {
    const { table } = memory.world;
    const from = await memory.world.put('default/a');
    const store = wakingStore();
    const stream = (await watches.open(PODS, { ...request, from }))[Symbol.asyncIterator]();
    const first = stream.next();
    await put(store, 'b');
    expect((await first).value).toMatchObject({ type: 'ADDED' });
    const told = stream.next();
    await table.update(headKey(PODS), { add: { rv: 1 } });
    await put(store, 'd');
    await put(store, 'e');
    const late = [from + 2, 'default/c'] as const;
    await table.put(rowLike(await journalRow(from + 3), ...late));
    const events = memory.clock.during(
      (async () => [await told, await stream.next(), await stream.next()].map(({ value }) => text(value)))(),
    );
    expect(await events).toEqual([`ADDED c@${from + 2}`, `ADDED d@${from + 3}`, `ADDED e@${from + 4}`]);
  });

  const journalKeyOf = (rv: number) => ({
    pk: `journal#${PODS}#${rv % 8}`,
    sk: String(rv).padStart(16, '0'),
  });
  const journalRow = async (rv: number): Promise<Row> => {
    const row = await memory.world.table.get(journalKeyOf(rv));
    if (row === undefined) throw new Error(`no entry at ${rv}`);
    return row;
  };
  /** The entry of another object. */
  const rowLike = (row: Row, rv: number, name: string): Row => ({ ...row, ...journalKeyOf(rv), name });

  it('does not wake the watches of other collections', async () => {
    const from = await memory.world.put('default/a');
    const store = wakingStore();
    void (await watches.open(PODS, { ...request, from }))[Symbol.asyncIterator]().next();
    while (memory.clock.sleepers === 0) await new Promise(setImmediate);
    await put(store, 'b', 'core/configmaps');
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    expect(reads).toBe(0);
    expect(memory.clock.sleepers).toBeGreaterThan(0);
  });
});

describe('the last watch of a collection', () => {
  it('ends the polling of the journal', async () => {
    const { world, clock } = memory;
    const from = await world.put('default/a');
    const leaving = new AbortController();
    const request = { from, selector: everything, bookmarks: false, timeout: 60_000, signal: leaving.signal };
    const next = (await watches.open(PODS, request))[Symbol.asyncIterator]().next();
    while (clock.sleepers === 0) await new Promise(setImmediate);
    const asked = await readsAskedFor(async () => {
      leaving.abort();
      await next;
      await new Promise(setImmediate);
      clock.advance(10_000);
      await new Promise(setImmediate);
    });
    expect(asked).toBe(0);
  });
});

/** The reads by which watches find new changes. */
const READS = ['store.head', 'store.arrived'];

async function readsAskedFor(work: () => Promise<unknown>): Promise<number> {
  const { calls } = memory.world.faults;
  const before = calls.length;
  await work();
  return calls.slice(before).filter((call) => READS.includes(call)).length;
}

describe('a watch whose store fails', () => {
  it('continues if only a read for new changes failed', async () => {
    const { world } = memory;
    const from = await world.put('default/a');
    let looks = 0;
    world.faults.crash = (call) => {
      if (!READS.includes(call)) return undefined;
      looks += 1;
      if (looks === 2) return 'before';
      void world.faults.reboot();
      return undefined;
    };
    const reading = watched({ from }, 1);
    await world.faults.reboot();
    const rv = await world.put('default/b');
    while (looks < 2) await new Promise(setImmediate);
    await world.faults.reboot();
    expect((await reading).map(text)).toEqual([`ADDED b@${rv}`]);
    expect(world.problems.map(({ message }) => message)).toEqual(['a read of the journal failed']);
  });

  it('ends cleanly, so that the client resumes', async () => {
    const { world } = memory;
    const from = await world.put('default/a');
    await world.put('default/b');
    world.faults.crash = (call) => (call === 'store.nextChanges' ? 'before' : undefined);
    expect((await watched({ from, bookmarks: true })).map(text)).toEqual([`BOOKMARK ${from}`]);
    expect(world.problems.map(({ message }) => message)).toEqual(['a watch failed']);
  });

  it('sends no bookmark if it did not send the present objects', async () => {
    const { world } = memory;
    await world.put('default/a');
    world.faults.crash = (call) => (call === 'store.list' ? 'before' : undefined);
    expect(await watched({ bookmarks: true })).toEqual([]);
    expect(world.problems.map(({ message }) => message)).toEqual(['a watch failed']);
  });

  it('reports no failure if the client closed it meanwhile', async () => {
    const { world } = memory;
    const from = await world.put('default/a');
    await world.put('default/b');
    const leaving = new AbortController();
    world.faults.crash = (call) => {
      if (call !== 'store.nextChanges') return undefined;
      leaving.abort();
      return 'before';
    };
    expect(await watched({ from, bookmarks: true, signal: leaving.signal })).toEqual([]);
    expect(world.problems).toEqual([]);
  });
});
