import { describe, expect, it } from '@jest/globals';
import { compact } from '../../../../lib/controllers/reconcile/compaction.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { headKey, type Store } from '../../../../lib/store/index.ts';
import { journalKey } from '../../../../lib/store/keys.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const COLLECTION: Collection = 'test/things';
const OLD = TIMING.retention + 1;

/** A journal whose compaction reports its answer, and which marks it raised and how far. */
function createJournal() {
  const { table, clock, store } = createMemoryStore();
  const raised: string[] = [];
  let last = 0;
  const noting: Store = {
    ...store,
    raise: async (collection, mark, value) => {
      raised.push(`${mark} ${value}`);
      await store.raise(collection, mark, value);
    },
  };
  return {
    clock,
    store,
    async write(count: number) {
      for (let at = 0; at < count; at += 1) {
        const metadata = { namespace: 'default', name: `n${at}`, uid: `u${at}` };
        await store.write(COLLECTION, metadata, () => ({ kind: 'put', body: { metadata } }));
      }
    },
    /** Versions whose writers died. */
    abandon: (count: number) => table.update(headKey(COLLECTION), { add: { rv: count } }),
    expire: (rv: number) => table.delete(journalKey(COLLECTION, rv)),
    /** When the last compaction found the next one due. */
    due: () => last,
    async compact() {
      raised.length = 0;
      const { age, due } = await compact({ table, store: noting, clock, logger: silentLogger }, COLLECTION);
      last = due;
      return { age, raised: [...raised] };
    },
  };
}

const to = (rv: number) => [`settled ${rv}`, `compacted ${rv}`];

describe('Compaction of a journal', () => {
  it('Compaction of a journal without entries does nothing', async () => {
    const journal = createJournal();
    expect(await journal.compact()).toEqual({ age: 0, raised: [] });
    expect(journal.due()).toBe(Number.POSITIVE_INFINITY);
  });

  it('Compaction is due again when the oldest entry is older than the retention', async () => {
    const { clock, compact, due, write } = createJournal();
    const first = clock.now();
    await write(1);
    clock.advance(60_000);
    await write(1);
    await compact();
    expect(due()).toBe(first + TIMING.retention);
    clock.advance(TIMING.retention - 60_000 + 1);
    await compact();
    expect(due()).toBe(first + 60_000 + TIMING.retention);
    clock.advance(60_000);
    await compact();
    expect(due()).toBe(Number.POSITIVE_INFINITY);
  });

  it('Compaction passes entries that are older than the retention, to the millisecond', async () => {
    const { clock, compact, write } = createJournal();
    await write(3);
    clock.advance(TIMING.retention);
    expect(await compact()).toEqual({ age: TIMING.retention, raised: [] });
    clock.advance(1);
    expect(await compact()).toEqual({ age: 0, raised: to(4) });
    expect(await compact()).toEqual({ age: 0, raised: [] });
  });

  it.each([1, 2, 5, 6])('Compaction finds the end of %d old entries among young ones', async (count) => {
    const { clock, compact, write } = createJournal();
    await write(count);
    clock.advance(OLD - 10);
    await write(7);
    clock.advance(10);
    expect(await compact()).toEqual({ age: 10, raised: to(count + 1) });
    clock.advance(5);
    expect(await compact()).toEqual({ age: 15, raised: [] });
  });

  it('Compaction treats an entry from a clock that is ahead as new', async () => {
    const { clock, compact, write } = createJournal();
    clock.advance(60_000);
    await write(1);
    clock.advance(-30_000);
    expect(await compact()).toEqual({ age: 0, raised: [] });
  });

  it('Compaction skips up to a hundred missing versions, and no more', async () => {
    const few = createJournal();
    await few.write(101);
    await few.abandon(99);
    await few.write(3);
    few.clock.advance(OLD);
    expect(await few.compact()).toEqual({ age: 0, raised: to(204) });

    const many = createJournal();
    await many.write(101);
    await many.abandon(100);
    await many.write(2);
    many.clock.advance(OLD);
    expect((await many.compact()).raised).toEqual(to(102));
  });

  it('Compaction keeps missing versions at the end, because a writer may still commit them', async () => {
    const { abandon, clock, compact, write } = createJournal();
    await write(2);
    clock.advance(OLD);
    await abandon(2);
    expect(await compact()).toEqual({ age: 0, raised: to(3) });
  });

  it('Compaction passes settled and expired entries', async () => {
    const { clock, compact, expire, store, write } = createJournal();
    await write(7);
    await store.raise(COLLECTION, 'settled', 5);
    for (const rv of [2, 3, 4, 5]) await expire(rv);
    clock.advance(10);
    expect(await compact()).toEqual({ age: 10, raised: to(5) });
  });
});
