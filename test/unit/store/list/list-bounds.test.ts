import { beforeEach, describe, expect, it } from '@jest/globals';
import { everything, parseSelector } from '../../../../lib/selectors/index.ts';
import {
  type Collection,
  FutureVersionError,
  GoneError,
  headKey,
  type QueryRequest,
  type Store,
} from '../../../../lib/store/index.ts';
import { objectPartition } from '../../../../lib/store/keys.ts';
import { createVirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { freshCollection, named, openStore, put, spell } from '../../../support/store/store-fixture.ts';

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
      if (request.partition === objectPartition(collection)) queries.push(request);
      return next(request, signal);
    },
    batchGet: (next, keys, signal) => {
      const objects = keys.filter(({ pk }) => pk === objectPartition(collection));
      if (objects.length > 0) fetched.push(objects.length);
      return next(keys, signal);
    },
  });
  store = openStore(table, createVirtualClock());
});

async function fill(count: number, prefix = 'n'): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await put(store, collection, `${prefix}${String(index).padStart(4, '0')}`, { labels: { app: 'x' } });
  }
}

const selector = parseSelector('app=x');

describe('a LIST reads', () => {
  it.each([
    [undefined, [100, 200]],
    [500, [100, 200]],
    [30, [31]],
    [10, [25]],
    [1, [25]],
  ])('of the rows, for a page of %s, these many at a time', async (limit, sizes) => {
    await fill(130);
    await store.list(collection, { selector: everything, limit });
    expect(queries.map((query) => query.limit)).toEqual(sizes);
  });

  it('no more rows at a time than a thousand', async () => {
    await fill(1_700);
    await store.list(collection, { selector: everything });
    expect(queries.map((query) => query.limit)).toEqual([100, 200, 400, 800, 1_000]);
  });

  it.each([
    [10, [11]],
    [1, [2]],
    [20, [20]],
  ])('of an index, for a page of %i, one row more to know whether others follow', async (limit, sizes) => {
    await fill(20);
    const page = await store.list(collection, { selector, limit });
    expect(fetched).toEqual(sizes);
    expect(page.items).toHaveLength(limit);
    expect(page.next === undefined).toBe(limit === 20);
  });

  it('nothing of another namespace, whatever the name says that it begins behind', async () => {
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

  it('nothing twice behind a name', async () => {
    await fill(3);
    const page = await store.list(collection, { selector: everything, after: named('n0001') });
    expect(spell(page)).toEqual(['n0002@4']);
    expect(queries.map(({ from }) => from)).toEqual(['default/n0001!']);
  });
});

describe('a LIST at a resourceVersion', () => {
  it('is refused above the head, and where too much happened since', async () => {
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

describe('a page', () => {
  it('is bounded by what its objects take, and not by those that it does not show', async () => {
    await fill(12);
    const [{ heap = 0 } = {}] = (await store.nextChanges(collection, 1, 2)).changes;
    const even = ({ name }: { readonly name: { readonly name: string } }) =>
      Number(name.name.slice(1)) % 2 === 0;
    const whole = await store.list(collection, { selector: everything, matches: even, mostHeap: 1_000_000 });
    expect(whole.items).toHaveLength(6);
    const part = await store.list(collection, { selector: everything, matches: even, mostHeap: 2.5 * heap });
    expect(spell(part)).toEqual(['n0000@2', 'n0002@4']);
    const least = await store.list(collection, { selector: everything, matches: even, mostHeap: 1 });
    expect(spell(least)).toEqual(['n0000@2']);
  });

  it('tells how many remain, where it read all of them', async () => {
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

  it('tells how it was found only where that was asked', async () => {
    await fill(3);
    expect(await store.list(collection, { selector })).not.toHaveProperty('plan');
    const { plan } = await store.list(collection, { selector, explain: true });
    expect(plan).toMatchObject({ access: 'index', matches: 3, pages: 1, relabelled: 3 });
    expect((await store.list(collection, { selector: everything, explain: true })).plan?.access).toBe('rows');
  });
});
