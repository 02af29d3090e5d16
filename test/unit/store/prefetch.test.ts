import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../lib/platform/index.ts';
import { createStore, type Prefetched, type Store } from '../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, put, thing } from '../../support/store/store-fixture.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const THINGS: Collection = 'test/things';
const OTHERS: Collection = 'test/others';
let clock: VirtualClock;
let table: FaultyTable;
let store: Store;
/** What the table was asked since. */
let asked: string[];

beforeEach(() => {
  clock = createVirtualClock();
  table = createFaultyTable(createMemoryTable());
  store = createStore({ table, clock, random: seeded(1), logger: silentLogger });
  asked = [];
});

function listen(): void {
  table.faults.get = (next, key) => tell('get', () => next(key));
  table.faults.query = (next, request) => tell('query', () => next(request));
  table.faults.batchGet = (next, keys) => tell('batchGet', () => next(keys));
  table.faults.update = (next, key, change) => tell('update', () => next(key, change));
  table.faults.transact = (next, items, signal) => tell('transact', () => next(items, signal));
}

function tell<Answer>(what: string, answer: () => Answer): Answer {
  asked.push(what);
  return answer();
}

function ahead(...names: readonly string[]): Promise<Prefetched> {
  return store.prefetch({
    objects: names.map((name) => ({ collection: THINGS, name: named(name) })),
    collections: [OTHERS],
  });
}

async function create(name: string, { objects: [known] }: Prefetched): Promise<string[]> {
  const seen: string[] = [];
  await store.write(
    THINGS,
    named(name),
    (current) => {
      seen.push(String(current?.labels.app));
      return { kind: 'put', body: thing(name, { app: 'new' }) };
    },
    { known },
  );
  return seen;
}

describe('a prefetch', () => {
  it('reads objects in request order, and all objects of small collections, in one request', async () => {
    await put(store, THINGS, 'a', { labels: { app: 'x' } });
    await put(store, OTHERS, 'o');
    await store.snapshot([OTHERS]);
    listen();
    const began = clock.now();
    const { objects, snapshots } = await ahead('none', 'a');
    expect(objects.map(({ at, state }) => [at, state?.labels.app])).toEqual([
      [began, undefined],
      [began, 'x'],
    ]);
    expect(snapshots.get(OTHERS)?.map(({ name }) => name.name)).toEqual(['o']);
    expect(asked).toEqual(['batchGet']);
  });

  it('spares the following write all reads', async () => {
    const known = await ahead('a');
    await put(store, THINGS, 'b', { labels: { app: 'x' } });
    listen();
    expect(await create('a', known)).toEqual(['undefined']);
    expect(asked).toEqual(['update', 'transact']);
  });

  it('serves the first attempt only, because a concurrent write may come in between', async () => {
    const known = await ahead('a');
    await put(store, THINGS, 'a', { labels: { app: 'theirs' } });
    expect(await create('a', known)).toEqual(['undefined', 'theirs']);
  });

  it('is not used for a commit when it is old, because its other reads may be stale', async () => {
    const known = await ahead('a');
    clock.advance(TIMING.grace - TIMING.transaction + 1);
    expect(await create('a', known)).toEqual(['undefined', 'undefined']);
    const again = await ahead('b');
    clock.advance(TIMING.grace - TIMING.transaction);
    expect(await create('b', again)).toEqual(['undefined']);
  });
});
