import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { allotVersion } from '../../../../lib/store/head.ts';
import {
  type ChangesBackRequest,
  createStore,
  GoneError,
  type Store,
  type Table,
} from '../../../../lib/store/index.ts';
import { journalKey } from '../../../../lib/store/keys.ts';
import { createVirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { put } from '../../../support/store/store-fixture.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const THINGS: Collection = 'test/things';
const MINUTE = 60_000;
let table: Table;
let clock: ReturnType<typeof createVirtualClock>;
let store: Store;

beforeEach(() => {
  table = createMemoryTable();
  clock = createVirtualClock();
  store = createStore({ table, clock, random: seeded(1), logger: silentLogger });
});

async function back(request: Partial<ChangesBackRequest> = {}) {
  const all = { entries: 1_000, bytes: Number.POSITIVE_INFINITY };
  const { changes, ...page } = await store.changesBack(THINGS, { ...all, ...request });
  return { ...page, changes: changes.map(({ rv }) => rv) };
}

/** Changes a minute apart, from resourceVersion 2 on. */
async function changed(count: number): Promise<number> {
  const began = clock.now();
  for (let number = 0; number < count; number += 1) {
    await put(store, THINGS, `n${number % 3}`, { spec: { number } });
    clock.advance(MINUTE);
  }
  return began;
}

describe('the changes of a collection', () => {
  it('reach back to its first one', async () => {
    await changed(4);
    expect(await back()).toEqual({ changes: [5, 4, 3, 2], end: 'Reached' });
  });

  it('are read in pages', async () => {
    await changed(5);
    expect(await back({ entries: 2 })).toEqual({ changes: [6, 5], next: 4 });
    expect(await back({ entries: 2, upTo: 4 })).toEqual({ changes: [4, 3], next: 2 });
    expect(await back({ entries: 2, upTo: 2 })).toEqual({ changes: [2], end: 'Reached' });
    expect(await back({ bytes: 1 })).toEqual({ changes: [6], next: 5 });
  });

  it('of a time are those of that time', async () => {
    const began = await changed(40);
    const [since, until] = [began + 10 * MINUTE, began + 12 * MINUTE];
    expect(await back({ since, until })).toEqual({ changes: [14, 13, 12], end: 'Reached' });
    const keys: number[] = [];
    const reader = createStore({
      table: {
        ...table,
        batchGet: (...request) => {
          keys.push(request[0].length);
          return table.batchGet(...request);
        },
      },
      clock,
      random: seeded(1),
      logger: silentLogger,
    });
    const page = await reader.changesBack(THINGS, { until, entries: 3, bytes: 1e9 });
    expect(page.changes.map(({ rv }) => rv)).toEqual([14, 13, 12]);
    // The head and the watermarks, and then only entries of that time.
    expect(keys).toEqual([2, 3]);
  });

  it('wait for a writer that may still commit, and leave out a dead one', async () => {
    await changed(2);
    await allotVersion(table, THINGS);
    await put(store, THINGS, 'late');
    const began = clock.now();
    expect(await back()).toEqual({ changes: [5, 3, 2], end: 'Reached' });
    expect(clock.now() - began).toBeGreaterThanOrEqual(TIMING.grace);
  });

  it.each([
    ['is gone', () => table.delete(journalKey(THINGS, 4)), 4, 'Expired'],
    ['is lost', () => table.delete(journalKey(THINGS, 5)), 4, 'Missing'],
    ['has expired', () => table.update(journalKey(THINGS, 4), { set: { ttl: 1 } }), 1, 'Expired'],
    [
      'is of an older schema',
      () => table.update(journalKey(THINGS, 5), { remove: ['previousMain'] }),
      1,
      'Missing',
    ],
  ])('end at an entry that %s', async (_, damage, compacted, end) => {
    await changed(6);
    await store.raise(THINGS, 'compacted', compacted);
    await store.raise(THINGS, 'settled', 7);
    await damage();
    const { changes, ...page } = await back();
    expect([changes.at(0), page.end]).toEqual([7, end]);
    expect(changes.at(-1)).toBeGreaterThan(4);
  });

  it('outlive the holes between them by no day', async () => {
    const kept = createStore({ table, clock, random: seeded(1), logger: silentLogger, historyDays: 30 });
    await put(kept, THINGS, 'old');
    await allotVersion(table, THINGS);
    await put(kept, THINGS, 'new');
    expect(await back()).toEqual({ changes: [4, 2], end: 'Reached' });
    clock.advance(29 * 24 * 60 * MINUTE);
    for (const rv of [2, 3, 4]) {
      const row = await table.get(journalKey(THINGS, rv));
      if (Number(row?.ttl) * 1_000 <= clock.now()) await table.delete(journalKey(THINGS, rv));
    }
    expect(await back()).toEqual({ changes: [4, 2], end: 'Reached' });
  });

  it('of a time before the last day are found without reading what came later', async () => {
    const kept = createStore({ table, clock, random: seeded(1), logger: silentLogger, historyDays: 30 });
    const began = clock.now();
    for (let number = 0; number < 30; number += 1) {
      await put(kept, THINGS, 'n', { spec: { number } });
      clock.advance(24 * 60 * MINUTE);
    }
    await store.raise(THINGS, 'settled', 31);
    await store.raise(THINGS, 'compacted', 29);
    const day = (number: number) => began + number * 24 * 60 * MINUTE;
    const page = await back({ since: day(9.5), until: day(12.5), entries: 5 });
    expect(page).toEqual({ changes: [14, 13, 12], end: 'Reached' });
  });

  it('end where the definition of the kind was removed', async () => {
    await changed(6);
    await store.raise(THINGS, 'floor', 5);
    expect(await back()).toEqual({ changes: [7, 6], end: 'Redefined' });
    expect(await back({ upTo: 4 })).toEqual({ changes: [], end: 'Redefined' });
  });
});

describe('the resourceVersion of a time', () => {
  it('is that of the newest change by then', async () => {
    const began = await changed(30);
    expect(await store.versionAt(THINGS, began + 10 * MINUTE)).toBe(12);
    expect(await store.versionAt(THINGS, began + 10.5 * MINUTE)).toBe(12);
    expect(await store.versionAt(THINGS, clock.now() + MINUTE)).toBe(31);
    expect(await store.versionAt(THINGS, began - 1)).toBe(1);
  });

  it('is found although entries are missing', async () => {
    const began = await changed(30);
    for (let rv = 8; rv < 16; rv += 1) await table.delete(journalKey(THINGS, rv));
    expect(await store.versionAt(THINGS, began + 20 * MINUTE)).toBe(22);
  });

  it('is refused where it is compacted', async () => {
    const began = await changed(30);
    await store.raise(THINGS, 'compacted', 20);
    expect(await store.versionAt(THINGS, began + 19 * MINUTE)).toBe(21);
    expect(await store.versionAt(THINGS, began + 18.5 * MINUTE)).toBe(20);
    await expect(store.versionAt(THINGS, began + 17 * MINUTE)).rejects.toThrow(GoneError);
  });
});
