import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { everything, parseSelector } from '../../../lib/selectors/index.ts';
import type { Row, Store } from '../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createLaggingIndexes, type LaggingIndexes } from '../../support/store/lagging-indexes.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { readChanges } from '../../support/store/read-changes.ts';
import { freshCollection, listPages, openStore, put, remove } from '../../support/store/store-fixture.ts';

/** The number of rows read, by their source. */
interface Amounts {
  index: number;
  objects: number;
  journal: number;
  relabels: number;
  requests: number;
}

let indexes: LaggingIndexes;
let table: FaultyTable;
let clock: VirtualClock;
let writer: Store;
let collection: Collection;
let amounts: Amounts;

beforeEach(() => {
  indexes = createLaggingIndexes(createMemoryTable());
  table = createFaultyTable(indexes);
  clock = createVirtualClock();
  writer = openStore(table, clock);
  collection = freshCollection();
});

function count(): void {
  amounts = { index: 0, objects: 0, journal: 0, relabels: 0, requests: 0 };
  const add = (rows: readonly Row[], kind: keyof Amounts) => {
    amounts[kind] += rows.length;
    amounts.requests += 1;
  };
  table.faults.query = async (next, request) => {
    const page = await next(request);
    const kind = request.partition.startsWith('relabel#') ? 'relabels' : 'objects';
    add(page.rows, request.index === undefined ? kind : 'index');
    return page;
  };
  table.faults.batchGet = async (next, keys) => {
    const rows = await next(keys);
    add(rows, keys[0]?.pk.startsWith('journal#') ? 'journal' : 'objects');
    return rows;
  };
}

const numbered = (index: number) => `n${String(index).padStart(5, '0')}`;

/** Creates every `step`th of the objects `from..to` (exclusive) with the given labels. */
async function create(labels: Record<string, string>, { from = 0, to = 0, step = 1 }) {
  for (let index = from; index < to; index += step) {
    await put(writer, collection, numbered(index), { labels });
  }
}

const HOUR = 3_600_000;

describe('the reads of two requirements', () => {
  const selector = parseSelector('app=x,tier=y');
  const list = async () => (await openStore(table, clock).list(collection, { selector })).items.length;

  it('two requirements with few common objects read far fewer index rows than the sparser one has', async () => {
    await create({ app: 'x' }, { from: 0, to: 1_000 });
    await create({ app: 'x', tier: 'y' }, { from: 1_000, to: 1_005 });
    await create({ tier: 'y' }, { from: 1_005, to: 2_200 });
    clock.advance(HOUR);
    count();
    expect(await list()).toBe(5);
    expect(amounts.index).toBeLessThan(150);
    expect(amounts.objects).toBe(5);
    expect(amounts.relabels).toBeLessThanOrEqual(8 * 16);
  });

  it('two requirements that alternate in long runs are joined by leapfrog', async () => {
    for (let run = 0; run < 4; run += 1) {
      await create({ app: 'x' }, { from: run * 500, to: run * 500 + 250 });
      await create({ tier: 'y' }, { from: run * 500 + 250, to: run * 500 + 500 });
    }
    await create({ app: 'x', tier: 'y' }, { from: 2_000, to: 2_001 });
    clock.advance(HOUR);
    count();
    expect(await list()).toBe(1);
    expect(amounts.index).toBeLessThan(1_000);
  });

  it('two requirements, one of them short, read only that one and a page of the other', async () => {
    await create({ app: 'x', tier: 'y' }, { from: 0, to: 10 });
    await create({ app: 'x' }, { from: 10, to: 500 });
    clock.advance(HOUR);
    count();
    expect(await list()).toBe(10);
    expect(amounts.index).toBe(10 + 25);
  });

  it('two requirements that interleave read little more than the sparser one', async () => {
    await create({ app: 'x' }, { from: 0, to: 1_000, step: 2 });
    await create({ tier: 'y' }, { from: 1, to: 1_000, step: 2 });
    clock.advance(HOUR);
    count();
    expect(await list()).toBe(0);
    expect(amounts.index).toBeLessThan(500 + 200);
  });
});

describe('a selector with matches among many objects', () => {
  const rows = async (selector: string, store = openStore(table, clock)) => {
    count();
    const { items } = await store.list(collection, { selector: parseSelector(selector) });
    return { matches: items.length, ...amounts };
  };

  it.each([100, 600])(
    'a LIST among %i objects reads as little as among few, once all are older than the window',
    async (size) => {
      await create({ app: 'x' }, { from: 0, to: size });
      await create({ app: 'x', rare: '' }, { from: size, to: size + 30 });
      await create({ app: 'x' }, { from: size + 30, to: size * 2 });
      clock.advance(HOUR);
      for (const selector of ['rare', 'app=x,rare', 'rare,app!=y']) {
        const { matches, index, objects, journal, relabels } = await rows(selector);
        expect(matches).toBe(30);
        expect(index).toBeLessThanOrEqual(1.2 * 30 + 100);
        expect({ objects, relabels }).toEqual({ objects: 30, relabels: 0 });
        expect(journal).toBeLessThanOrEqual(8);
      }
      expect((await rows('rare=none')).index).toBe(0);
    },
  );

  it('a process reads the relabel window once, and not at all if nothing was relabelled lately', async () => {
    await create({ app: 'x' }, { from: 0, to: 300 });
    clock.advance(60_000);
    for (let round = 0; round < 20; round += 1) await put(writer, collection, 'busy', { spec: { round } });
    clock.advance(60_000);
    const store = openStore(table, clock);
    const first = await rows('app=x', store);
    expect(first.relabels).toBeGreaterThan(250);
    expect((await rows('app', store)).relabels).toBe(0);
    clock.advance(HOUR);
    expect((await rows('app')).relabels).toBe(0);
  });
});

describe('the reads of a page', () => {
  it('a page reads about what it holds, also if every object was relabelled a minute ago', async () => {
    await create({ app: 'x' }, { from: 0, to: 600 });
    const store = openStore(table, clock);
    const request = { selector: parseSelector('app=x'), limit: 10 };
    const { rv, next } = await store.list(collection, request);
    count();
    const page = await store.list(collection, { ...request, at: rv, after: next });
    expect(page.items).toHaveLength(10);
    expect(amounts.objects).toBeLessThanOrEqual(11);
    expect(amounts.index).toBeLessThanOrEqual(25);
  });

  it('a page of one object among many takes few requests', async () => {
    await create({}, { from: 0, to: 600 });
    await create({ app: 'x' }, { from: 600, to: 601 });
    count();
    const page = await openStore(table, clock).list(collection, {
      selector: parseSelector('app!=y,app notin (z)'),
      matches: ({ labels }) => labels.app === 'x',
      limit: 1,
    });
    expect(page.items).toHaveLength(1);
    expect(amounts.requests).toBeLessThan(40);
  });

  it('a page at an old resourceVersion reads the journal once, for any number of batches', async () => {
    await create({}, { from: 0, to: 400 });
    const rv = await writer.head(collection);
    for (let round = 0; round < 3_000; round += 1) await put(writer, collection, 'm', { spec: { round } });
    clock.advance(HOUR);
    const store = openStore(table, clock);
    count();
    expect((await store.list(collection, { selector: everything, at: rv })).items).toHaveLength(400);
    expect(amounts.journal).toBeLessThan(3_100);
  });
});

describe('a store that was idle', () => {
  const requests = ['', 'app=x', 'app', '!tier'].map((text) => ({
    selector: parseSelector(text),
    limit: 50,
  }));
  const lists = async (store: Store) =>
    Promise.all(
      requests.map(async (request) =>
        (await listPages(store, collection, request)).flatMap(({ items }) => items),
      ),
    );

  it.each([
    [900, 0],
    [2_000, 0],
    [2_000, 5 * 60_000],
    [2_000, HOUR],
  ])('an idle store lists correctly after %i foreign writes and %i ms', async (writes, pause) => {
    await create({ app: 'x' }, { from: 0, to: 60 });
    const idle = openStore(table, clock);
    await lists(idle);
    indexes.freeze();
    for (let write = 0; write < writes; write += 1) {
      const name = numbered(write % 90);
      if (write % 7 === 0) {
        await remove(writer, collection, name);
      } else {
        await put(writer, collection, name, {
          labels: write % 3 ? { app: 'x' } : { tier: 'y' },
          spec: { write },
        });
      }
    }
    clock.advance(pause);
    if (pause === HOUR) indexes.thaw();
    const { items } = await openStore(table, clock).list(collection, { selector: everything });
    const expected = requests.map(({ selector }) => items.filter(({ labels }) => selector.matches(labels)));
    expect(items.length).toBeGreaterThan(60);
    expect(await lists(idle)).toEqual(expected);
    expect(await lists(openStore(table, clock))).toEqual(expected);
    const { length } = await readChanges(idle, collection);
    expect(length).toBe((await idle.head(collection)) - 1);
  });

  it('an idle store reads only the end of an old journal', async () => {
    const idle = openStore(table, clock);
    await idle.list(collection, { selector: everything });
    await create({}, { from: 0, to: 1_500 });
    clock.advance(HOUR);
    count();
    await idle.list(collection, { selector: everything, limit: 1 });
    expect(amounts.journal).toBeLessThanOrEqual(8);
  });
});

describe('the cached tail of the journal', () => {
  it('the cache keeps all young entries, and drops old ones beyond its limit', async () => {
    for (let round = 0; round < 2_100; round += 1) {
      await put(writer, collection, numbered(round % 7), { spec: { round } });
    }
    const head = await writer.head(collection);
    const reader = openStore(table, clock);
    const readAgain = async () => {
      await reader.list(collection, { selector: everything, limit: 1, at: head - 1 });
      count();
      await reader.list(collection, { selector: everything, limit: 1, at: head - 2_050 });
      return amounts.journal;
    };
    expect(await readAgain()).toBe(0);
    clock.advance(2 * TIMING.skew + 1);
    expect(await readAgain()).toBe(50);
  });
});
