import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import { everything, nothing, parseSelector } from '../../../../lib/selectors/index.ts';
import {
  FutureVersionError,
  GoneError,
  headKey,
  type QueryRequest,
  type Row,
  type Store,
} from '../../../../lib/store/index.ts';
import { objectPartition } from '../../../../lib/store/keys.ts';
import { LOOKED_AT } from '../../../../lib/store/list/density.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import {
  freshCollection,
  listPages,
  named,
  openStore,
  put,
  spell,
} from '../../../support/store/store-fixture.ts';

let clock: VirtualClock;
let table: FaultyTable;
let store: Store;
let collection: Collection;
/** What was asked of the collection's rows: in their order, and by name. */
let queries: QueryRequest[];
let fetched: number[];

beforeEach(() => {
  collection = freshCollection();
  [queries, fetched] = [[], []];
  table = createFaultyTable(createMemoryTable(), {
    query: (next, request, signal) => {
      const isOfRows = request.index === undefined && request.partition === objectPartition(collection);
      if (isOfRows) queries.push(request);
      return next(request, signal);
    },
    batchGet: (next, keys, signal) => {
      const objects = keys.filter(({ pk }) => pk === objectPartition(collection));
      if (objects.length > 0) fetched.push(objects.length);
      return next(keys, signal);
    },
  });
  clock = createVirtualClock();
  store = openStore(table, clock);
});

async function fill(count: number, prefix = 'n'): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const labels = { app: 'x', fourth: index % 4 === 0 ? 'yes' : 'no' };
    await put(store, collection, `${prefix}${String(index).padStart(4, '0')}`, { labels });
  }
}

const selector = parseSelector('app=x');
const sparse = parseSelector('fourth=yes');

describe('a LIST reads', () => {
  it.each([
    [undefined, [1_000]],
    [500, [501]],
    [30, [31]],
    [10, [25]],
    [1, [25]],
  ])('rows in these page sizes for a limit of %s', async (limit, sizes) => {
    await fill(130);
    await store.list(collection, { selector: everything, limit });
    expect(queries.map((query) => query.limit)).toEqual(sizes);
  });

  it('no more than a thousand rows of the table at a time, and no more than 400 by an index', async () => {
    await fill(1_700);
    await store.list(collection, { selector: everything });
    expect(queries.map((query) => query.limit)).toEqual([1_000, 1_000]);
    await fill(1_000, 'other');
    queries = [];
    await store.list(collection, { selector: sparse });
    expect(fetched).toEqual([100, 400, 175]);
    expect(queries.map((query) => query.limit)).toEqual([LOOKED_AT, LOOKED_AT]);
    queries = [];
    await store.list(collection, { selector: sparse, limit: 150 });
    expect(queries).toEqual([]);
  });

  it('the next rows while it handles a thousand, unless a limit may end the page', async () => {
    await fill(2_100);
    const { items, plan } = await store.list(collection, { selector: everything, explain: true });
    expect([items.length, new Set(items.map(({ name }) => name.name)).size]).toEqual([2_100, 2_100]);
    expect(plan?.pages).toBe(3);
    expect(queries.map(({ from }) => from.slice(0, 13))).toEqual(['!', 'default/n0999', 'default/n1999']);
    queries = [];
    await store.list(collection, { selector: everything, limit: 1_000, matches: () => true });
    expect(queries).toHaveLength(2);
  });

  it('the rows of the collection as soon as most of them match, and an index again when fewer match', async () => {
    await fill(1_700);
    await put(store, collection, 'n1699', { labels: { app: 'y' } });
    for (let index = 0; index < 2_400; index += 1) {
      const labels = { app: index % 20 === 0 ? 'x' : 'y' };
      await put(store, collection, `other${String(index).padStart(4, '0')}`, { labels });
    }
    const { items, plan } = await store.list(collection, { selector, explain: true });
    expect(items.map(({ name }) => name.name)).toEqual(
      [...Array(1_699).keys()]
        .map((index) => `n${String(index).padStart(4, '0')}`)
        .concat([...Array(120).keys()].map((index) => `other${String(index * 20).padStart(4, '0')}`)),
    );
    expect(fetched).toEqual([100, 50]);
    expect(queries.map((query) => query.limit)).toEqual([LOOKED_AT, 1_000, 1_000, 1_000]);
    expect(plan?.access).toBe('index');
  });

  it.each([1, 6, 7])('each object once if %i of 8 match, whatever was relabelled', async (matching) => {
    const name = (index: number) => `n${String(index).padStart(4, '0')}`;
    const labelsOf = (index: number) => ({ app: index % 8 < (index < 2_000 ? matching : 1) ? 'x' : 'y' });
    for (let index = 0; index < 4_000; index += 1) {
      await put(store, collection, name(index), { labels: labelsOf(index) });
    }
    const expected = new Set(
      [...Array(4_000).keys()].filter((index) => labelsOf(index).app === 'x').map(name),
    );
    for (let index = 0; index < 4_000; index += 13) {
      const app = index % 2 === 0 ? 'x' : 'y';
      await put(store, collection, name(index), { labels: { app } });
      expected.delete(name(index));
      if (app === 'x') expected.add(name(index));
    }
    // The window has the relabels, and the journal that a LIST reads has them no longer.
    clock.advance(60_000);
    for (let round = 0; round < 10; round += 1) await put(store, collection, 'other', { spec: { round } });
    clock.advance(60_000);
    const { items } = await openStore(table, clock).list(collection, { selector });
    expect(items.map((item) => item.name.name)).toEqual([...expected].sort());
  });

  it('fewer rows by an index at a time if one of the last is large', async () => {
    await fill(1_600);
    const noise = createHash('shake256', { outputLength: 90_000 }).update('noise').digest('base64');
    await put(store, collection, 'n0012', { labels: { fourth: 'yes' }, spec: { noise } });
    await store.list(collection, { selector: sparse });
    const [first, second = 0, third] = fetched;
    expect([first, third]).toEqual([100, 400 - 100 - second]);
    expect(second).toBeGreaterThan(140);
    expect(second).toBeLessThan(200);
  });

  it('nothing if nothing can match, and no index past the end', async () => {
    await fill(3);
    const none = await store.list(collection, { selector: nothing, explain: true });
    expect([none.items, none.plan?.access, queries, fetched]).toEqual([[], 'nothing', [], []]);
    const unheard = parseSelector('unheard-of=x');
    const unknown = await store.list(collection, { selector: unheard, explain: true });
    expect([unknown.items, unknown.plan?.access, queries, fetched]).toEqual([[], 'nothing', [], []]);
    const after = { namespace: 'z', name: 'x' };
    const beyond = await store.list(collection, { selector, namespace: 'default', after, explain: true });
    expect(beyond.plan?.steps.map(({ purpose }) => purpose)).toEqual(['head']);
    expect(beyond.plan?.overlay).toEqual({ after: 4, upTo: 4, objects: 0 });
  });

  it.each([
    [10, [11]],
    [1, [2]],
    [20, [20]],
  ])('one row more than a page of %i by an index, to know whether others follow', async (limit, sizes) => {
    await fill(20);
    const page = await store.list(collection, { selector, limit });
    expect(fetched).toEqual(sizes);
    expect(page.items).toHaveLength(limit);
    expect(page.next === undefined).toBe(limit === 20);
  });

  it('no row of another namespace, whatever name the page begins after', async () => {
    await fill(3);
    const after = { namespace: 'another', name: 'x' };
    expect(
      (await store.list(collection, { selector: everything, namespace: 'default', after })).items,
    ).toHaveLength(3);
    expect(queries.map(({ from }) => from)).toEqual(['default/']);
    const beyond = { namespace: 'z', name: 'x' };
    const page = await store.list(collection, { selector: everything, namespace: 'default', after: beyond });
    expect(page.items).toEqual([]);
    expect(queries).toHaveLength(1);
  });

  it('the rows if a label has too many values, and reports how many it checked', async () => {
    await fill(3);
    let asked = 0;
    table.faults.query = async (next, request, signal) => {
      if (request.index === undefined) return next(request, signal);
      asked += 1;
      return { rows: [{ pk: '', sk: '', v0: `v${asked}!default/a`, labels: '{"app":"v"}' }], more: true };
    };
    const page = await store.list(collection, { selector: parseSelector('app'), explain: true });
    expect([page.items.length, page.plan?.access]).toEqual([3, 'rows']);
    const looked = page.plan?.steps.find(({ purpose }) => purpose === 'requirement');
    expect(looked?.values).toEqual({ how: 'too-many', count: 4 });
  });

  it('one row for one name in one namespace, and an index for a name in all namespaces', async () => {
    await fill(3);
    await put(store, collection, 'other/n0001', { labels: { app: 'x' } });
    const one = await store.list(collection, { selector, ...named('n0001'), explain: true });
    expect(spell(one)).toEqual(['n0001@3']);
    expect([one.plan?.access, fetched, queries]).toEqual(['name', [1], []]);
    const page = await store.list(collection, { selector, name: 'n0001', explain: true });
    expect(spell(page)).toEqual(['n0001@3', 'other/n0001@5']);
    expect(page.plan?.access).toBe('index');
  });

  it('no row twice after a name', async () => {
    await fill(3);
    const page = await store.list(collection, { selector: everything, after: named('n0001') });
    expect(spell(page)).toEqual(['n0002@4']);
    expect(queries.map(({ from }) => from)).toEqual(['default/n0001 ']);
  });
});

/** Until the journal that a LIST reads anyway no longer tells of what was written before. */
async function age(): Promise<void> {
  clock.advance(TIMING.skew * 3);
  for (let round = 0; round < 20; round += 1) await put(store, collection, 'z', { spec: { round } });
  clock.advance(TIMING.skew * 3);
  store = openStore(table, clock);
}

describe('a LIST by an index that lags', () => {
  it('shows in its place an object that the index does not show yet', async () => {
    await fill(12);
    clock.advance(TIMING.relabelWindow + TIMING.skew + 1);
    await put(store, collection, 'n0005', { labels: { app: 'x', more: 'y' } });
    await age();
    table.faults.query = async (next, request, signal) => {
      const page = await next(request, signal);
      const isLate = ({ sk }: Row) => request.index !== undefined && sk === 'default/n0005';
      return { ...page, rows: page.rows.filter((row) => !isLate(row)) };
    };
    const pages = await listPages(store, collection, { selector, limit: 3 });
    const versions = [2, 3, 4, 5, 6, 14, 8, 9, 10, 11, 12, 13];
    expect(spell(pages)).toEqual(versions.map((rv, at) => `n${String(at).padStart(4, '0')}@${rv}`));
  });
});

describe('a LIST at a resourceVersion', () => {
  it('is refused above the head, or if too many changes followed it', async () => {
    await fill(2);
    await expect(store.list(collection, { selector, at: 4 })).rejects.toThrow(FutureVersionError);
    await store.raise(collection, 'compacted', 20_000);
    await table.put({ ...headKey(collection), rv: 20_002 });
    await expect(store.list(collection, { selector, at: 1 })).rejects.toThrow('is too old');
    const least = store.list(collection, { selector, at: 2 });
    await expect(least).rejects.toThrow(GoneError);
    await expect(least).rejects.toThrow('is compacted');
  });
});

describe('a page of a LIST', () => {
  it('is bounded by the heap of the objects that it returns, not of those that it filters out', async () => {
    await fill(12);
    const [{ heap = 0 } = {}] = (await store.nextChanges(collection, 1, 2)).changes;
    const even = ({ name }: { readonly name: { readonly name: string } }) =>
      Number(name.name.slice(1)) % 2 === 0;
    const whole = await store.list(collection, { selector: everything, matches: even, mostHeap: 1_000_000 });
    expect(whole.items).toHaveLength(6);
    const part = await store.list(collection, { selector: everything, matches: even, mostHeap: 2 * heap });
    expect(spell(part)).toEqual(['n0000@2', 'n0002@4']);
    const least = await store.list(collection, { selector: everything, matches: even, mostHeap: 1 });
    expect(spell(least)).toEqual(['n0000@2']);
  });

  it('is bounded by the heap of rows that the journal does not cover, measured or not', async () => {
    await fill(12);
    const { changes } = await store.nextChanges(collection, 1, 2);
    const heap = changes[0]?.heap ?? 0;
    await age();
    const page = () => openStore(table, clock).list(collection, { selector: everything, mostHeap: 2 * heap });
    expect(spell(await page())).toEqual(['n0000@2', 'n0001@3']);
    const { rows } = await table.query({ partition: objectPartition(collection), from: '!', to: '~' });
    for (const row of rows) await table.put({ ...row, heap: undefined });
    expect((await page()).items).toHaveLength(2);
  });

  it('reports how many objects remain if the LIST read all of them', async () => {
    await fill(22);
    const page = (limit: number) => store.list(collection, { selector: everything, limit });
    expect((await page(20)).remaining).toBe(2);
    expect((await page(19)).remaining).toBe(3);
    expect((await page(19)).next).toEqual(named('n0018'));
    expect(await page(22)).not.toHaveProperty('remaining');
    expect(await page(22)).not.toHaveProperty('next');
    await fill(10, 'm');
    expect(await page(20)).not.toHaveProperty('remaining');
  });

  it('reports its plan only on request', async () => {
    await fill(3);
    expect(await store.list(collection, { selector })).not.toHaveProperty('plan');
    const { plan } = await store.list(collection, { selector, explain: true });
    const index = { access: 'index', matches: 3, pages: 1, relabelled: 3, candidates: 3, skips: 0 };
    expect(plan).toMatchObject(index);
    const whole = await store.list(collection, { selector: everything, explain: true });
    expect(whole.plan).toMatchObject({ access: 'rows', matches: 3, candidates: 0, skips: 0 });
  });
});
