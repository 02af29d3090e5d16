import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import {
  createStore,
  type HistoryRequest,
  type Key,
  type Store,
  type Table,
} from '../../../../lib/store/index.ts';
import { holeRow } from '../../../../lib/store/journal.ts';
import { journalKey, objectKey, tombstoneKey } from '../../../../lib/store/keys.ts';
import { createVirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { named, put, remove, thing } from '../../../support/store/store-fixture.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const THINGS: Collection = 'test/things';
const DAY = 24 * 3_600_000;
let memory: Table;
let table: FaultyTable;
let clock: ReturnType<typeof createVirtualClock>;
let store: Store;

function open(historyDays?: number): Store {
  return createStore({ table, clock, random: seeded(1), logger: silentLogger, historyDays });
}

beforeEach(() => {
  memory = createMemoryTable();
  table = createFaultyTable(memory);
  clock = createVirtualClock();
  store = open();
});

async function history(name: string, more: Partial<HistoryRequest> = {}) {
  const { changes, ...page } = await store.historyOf(THINGS, {
    name: named(name),
    all: false,
    limit: 50,
    ...more,
  });
  return { ...page, changes: changes.map(({ type, rv }) => `${type}@${rv}`), present: page.present?.rv };
}

function status(name: string, number: number): Promise<unknown> {
  return store.write(THINGS, named(name), (current) => ({
    kind: 'put',
    body: { ...(current?.body as JsonObject), status: { number } },
  }));
}

describe('the history of an object', () => {
  it('has its changes, newest first, and the object as it is now', async () => {
    await put(store, THINGS, 'a');
    await put(store, THINGS, 'b');
    await put(store, THINGS, 'a', { spec: { changed: true } });
    expect(await history('a')).toEqual({ changes: ['MODIFIED@4', 'ADDED@2'], end: 'Created', present: 4 });
  });

  it('continues in the former life, and ends there', async () => {
    for (let life = 0; life < 3; life += 1) {
      await put(store, THINGS, 'a');
      await remove(store, THINGS, 'a');
    }
    await put(store, THINGS, 'a');
    expect(await history('a')).toEqual({
      changes: ['ADDED@8', 'DELETED@7', 'ADDED@6'],
      end: 'Created',
      present: 8,
    });
  });

  it('begins with the delete of an object that is gone', async () => {
    await put(store, THINGS, 'a');
    await remove(store, THINGS, 'a');
    expect(await history('a')).toEqual({ changes: ['DELETED@3', 'ADDED@2'], end: 'Created' });
  });

  it('is empty for a name that was never used', async () => {
    expect(await history('a')).toEqual({ changes: [], end: 'Expired' });
  });

  it('skips any number of changes of the status without reading them', async () => {
    await put(store, THINGS, 'a');
    for (let number = 0; number < 30; number += 1) await status('a', number);
    await put(store, THINGS, 'a', { labels: { app: 'web' } });
    for (let number = 0; number < 30; number += 1) await status('a', number);
    const read: string[] = [];
    table.faults.get = async (next, key, ...more) => {
      read.push(key.sk);
      return next(key, ...more);
    };
    expect(await history('a')).toEqual({ changes: ['MODIFIED@33', 'ADDED@2'], end: 'Created', present: 63 });
    expect(read).toHaveLength(1);
  });

  it('reads 20 changes in 21 requests, of which 19 are eventually consistent', async () => {
    await put(store, THINGS, 'a');
    for (let number = 0; number < 25; number += 1) await put(store, THINGS, 'a', { spec: { number } });
    const reads: unknown[] = [];
    table.faults.batchGet = async (next, keys) => {
      reads.push(keys.length);
      return next(keys);
    };
    table.faults.get = async (next, key, signal, reading) => {
      reads.push(reading);
      return next(key, signal, reading);
    };
    const page = await store.historyOf(THINGS, { name: named('a'), all: true, limit: 20 });
    expect(page).toMatchObject({ next: { rv: 7 } });
    expect(reads).toEqual([2, 2, ...Array.from({ length: 19 }, () => 'eventual')]);
  });

  it('takes pages, each with the cursor of the next', async () => {
    await put(store, THINGS, 'a');
    await remove(store, THINGS, 'a');
    await put(store, THINGS, 'a');
    const first = await history('a', { limit: 1 });
    expect(first).toEqual({ changes: ['ADDED@4'], next: { rv: 3 }, present: 4 });
    const second = await history('a', { limit: 1, from: first.next });
    expect(second).toEqual({ changes: ['DELETED@3'], next: { rv: 2 } });
    expect(await history('a', { limit: 1, from: second.next })).toEqual({
      changes: ['ADDED@2'],
      end: 'Created',
    });
  });

  it('finds nothing by the cursor of another object', async () => {
    await put(store, THINGS, 'a');
    await put(store, THINGS, 'secret');
    expect(await history('a', { from: { rv: 3 } })).toEqual({ changes: [], end: 'Missing' });
    expect(await history('a', { from: { rv: 2, tombstone: 3 } })).toEqual({
      changes: ['ADDED@2'],
      end: 'Missing',
    });
    expect(await history('a', { from: { rv: -1 } })).toEqual({ changes: [], end: 'Redefined' });
  });

  it('ends where the definition of the kind was removed, also for an earlier cursor', async () => {
    await put(store, THINGS, 'a');
    await put(store, THINGS, 'a', { spec: { changed: true } });
    const { next } = await history('a', { limit: 1 });
    await remove(store, THINGS, 'a');
    await store.raise(THINGS, 'floor', 4);
    expect(await history('a', { from: next })).toEqual({ changes: [], end: 'Redefined' });
    expect(await history('a')).toEqual({ changes: [], end: 'Expired' });
    await put(store, THINGS, 'a');
    expect(await history('a')).toEqual({ changes: ['ADDED@5'], end: 'Created', present: 5 });
  });

  it.each([
    ['is a hole', () => memory.put(holeRow(THINGS, 3, clock.now())), 'Missing'],
    ['is missing', () => memory.delete(journalKey(THINGS, 3)), 'Missing'],
    [
      'is deleted below the watermark',
      async () => {
        await store.raise(THINGS, 'compacted', 3);
        await memory.delete(journalKey(THINGS, 3));
      },
      'Expired',
    ],
    [
      'has an older schema version',
      () => memory.update(journalKey(THINGS, 3), { remove: ['previousMain'] }),
      'Missing',
    ],
    [
      'has expired',
      () => memory.update(journalKey(THINGS, 3), { set: { ttl: clock.now() / 1000 } }),
      'Expired',
    ],
  ])('ends above a row that %s', async (_, change, end) => {
    for (let number = 0; number < 3; number += 1) await put(store, THINGS, 'a', { spec: { number } });
    await change();
    expect(await history('a')).toEqual({ changes: ['MODIFIED@4'], end, present: 4 });
  });

  it('reads a row consistently that an eventually consistent read does not find', async () => {
    for (let number = 0; number < 3; number += 1) await put(store, THINGS, 'a', { spec: { number } });
    table.faults.get = async (next, key, signal, reading) =>
      reading === 'eventual' ? undefined : next(key, signal);
    expect(await history('a')).toMatchObject({ changes: ['MODIFIED@4', 'MODIFIED@3', 'ADDED@2'] });
  });

  it('begins with the delete if the object is deleted meanwhile', async () => {
    await put(store, THINGS, 'a');
    const isObject = ({ pk }: Key) => pk === objectKey(THINGS, '').pk;
    table.faults.batchGet = async (next, keys) => {
      const rows = await next(keys);
      if (keys.some(isObject)) {
        table.faults = {};
        await remove(store, THINGS, 'a');
      }
      return rows;
    };
    expect(await history('a')).toEqual({ changes: ['DELETED@3', 'ADDED@2'], end: 'Created' });
  });

  it('begins with the object that it has read if that comes and goes all the time', async () => {
    await put(store, THINGS, 'a');
    let isBusy = false;
    table.faults.batchGet = async (next, keys) => {
      const rows = await next(keys);
      if (isBusy || !keys.some(({ pk }) => pk === objectKey(THINGS, '').pk)) return rows;
      isBusy = true;
      await remove(store, THINGS, 'a');
      if ((await memory.get(tombstoneKey(THINGS, 'default/a')))?.rv !== 7) await put(store, THINGS, 'a');
      isBusy = false;
      return rows;
    };
    expect(await history('a')).toEqual({ changes: ['ADDED@6'], end: 'Created', present: 6 });
  });

  it('follows each change where a writer did not know the last one of more than the status', async () => {
    await put(store, THINGS, 'a');
    await status('a', 1);
    await memory.update(objectKey(THINGS, 'default/a'), { remove: ['mainRv'] });
    await status('a', 2);
    await status('a', 3);
    expect(await history('a')).toEqual({ changes: ['ADDED@2'], end: 'Created', present: 5 });
    expect(await history('a', { limit: 2 })).toEqual({ changes: [], next: { rv: 3 }, present: 5 });
  });
});

describe('the days of history', () => {
  it.each([
    [1, 2],
    [35, 36],
  ])('with %i, entries and tombstones are kept for %i days', async (historyDays, days) => {
    store = open(historyDays);
    await put(store, THINGS, 'a');
    await remove(store, THINGS, 'a');
    clock.advance(days * DAY - 1_000);
    expect((await history('a')).changes).toEqual(['DELETED@3', 'ADDED@2']);
    clock.advance(1_000);
    expect(await history('a')).toEqual({ changes: [], end: 'Expired' });
  });

  it('Events, Leases and Canaries keep one day', async () => {
    store = open(35);
    const name = named('a');
    for (const collection of ['core/events', 'coordination.k8s.io/leases', 'winnow.dev/canaries'] as const) {
      await store.write(collection, name, () => ({ kind: 'put', body: thing('a', {}) }));
      const [change] = (await store.historyOf(collection, { name, all: true, limit: 1 })).changes;
      expect(change?.expires).toBe(clock.now() + TIMING.expiry);
    }
  });
});

describe('the rows of a write', () => {
  it('name the manager, and the last change of more than the status', async () => {
    const by = store.within(clock.deadline(1_000), { user: 'ann', auditID: '1', manager: 'kubectl-edit' });
    await put(store, THINGS, 'a');
    await status('a', 1);
    await put(by, THINGS, 'a', { spec: { changed: true } });
    const [change] = (await store.historyOf(THINGS, { name: named('a'), all: true, limit: 1 })).changes;
    expect(change).toMatchObject({ user: 'ann', manager: 'kubectl-edit', previousRv: 3, previousMain: 2 });
  });

  it.each([
    [3, undefined, undefined],
    [4, 2, 0],
  ])(
    'in schema version %i, have what history needs only if it may be read',
    async (version, mainRv, previousMain) => {
      store = createStore({
        table: { ...memory, rowSchema: () => version },
        clock,
        random: seeded(1),
        logger: silentLogger,
      }).within(clock.deadline(1_000), { manager: 'kubectl-edit' });
      await put(store, THINGS, 'a');
      const manager = version === 3 ? undefined : 'kubectl-edit';
      expect((await memory.get(objectKey(THINGS, 'default/a')))?.mainRv).toBe(mainRv);
      const row = await memory.get(journalKey(THINGS, 2));
      expect([row?.previousMain, row?.manager]).toEqual([previousMain, manager]);
    },
  );
});
