import { describe, expect, it } from '@jest/globals';
import { journalLag } from '../../../lib/delivery/journal-lag.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { headKey, type Table } from '../../../lib/store/index.ts';
import { Gauge } from '../../support/gauge.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

/** Creates journals whose lags are measured, and counts the reads. */
function createJournals() {
  const { table, clock, store } = createMemoryStore();
  const reads = { all: 0 };
  const gauge = new Gauge();
  const counting: Table = {
    ...table,
    get: (key) => {
      reads.all += 1;
      return gauge.slowly(1, () => table.get(key));
    },
  };
  return {
    clock,
    reads,
    gauge,
    /** Allots `count` resourceVersions from 2 on, as writers that died did. */
    abandon: (collection: Collection, count: number) =>
      table.update(headKey(collection), { set: { rv: count + 1 } }),
    write: (collection: Collection) => {
      const metadata = { namespace: 'default', name: 'a', uid: 'a' };
      return store.write(collection, metadata, () => ({ kind: 'put', body: { metadata } }));
    },
    lag: async (...collections: Collection[]) => {
      const lagging = collections.map(async (collection) => ({
        collection,
        position: 1,
        rv: await store.head(collection),
      }));
      return journalLag({ table: counting, clock }, await Promise.all(lagging));
    },
  };
}

describe('the lag of journals', () => {
  it('the lag is 0 if no journal lags', async () => {
    expect(await createJournals().lag()).toBe(0);
  });

  it('the lag is the age of the oldest change that dispatch has not passed; four journals are read at a time', async () => {
    const { clock, gauge, reads, lag, write } = createJournals();
    const collections = Array.from({ length: 6 }, (_, at): Collection => `test/things${at}`);
    for (const collection of collections) {
      await write(collection);
      clock.advance(10);
      await write(collection);
    }
    expect(await lag(...collections)).toBe(60);
    expect([reads.all, gauge.most]).toEqual([6, 4]);
  });

  it('the lag is searched in at most ten resourceVersions, and not beyond the head', async () => {
    const { abandon, clock, reads, lag, write } = createJournals();
    await abandon('test/near', 9);
    await write('test/near');
    await abandon('test/far', 10);
    await write('test/far');
    clock.advance(5);
    expect(await lag('test/near')).toBe(5);
    expect(reads.all).toBe(10);
    expect(await lag('test/far')).toBe(0);
    expect(reads.all).toBe(20);
    await abandon('test/short', 2);
    expect(await lag('test/short')).toBe(0);
    expect(reads.all).toBe(22);
  });
});
