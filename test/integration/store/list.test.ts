import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { everything, nothing, parseSelector } from '../../../lib/selectors/index.ts';
import {
  FutureVersionError,
  GoneError,
  type ListRequest,
  type Store,
  type Table,
} from '../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { readChanges } from '../../support/store/read-changes.ts';
import { freshCollection, openStore, put, remove, spell } from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';

let real: Table;
let stop: () => Promise<void>;
let table: FaultyTable;
let clock: VirtualClock;
let store: Store;
let collection: Collection;

beforeAll(async () => {
  ({ table: real, stop } = await startTable());
});
afterAll(() => stop());
beforeEach(() => {
  table = createFaultyTable(real);
  clock = createVirtualClock();
  store = openStore(table, clock);
  collection = freshCollection();
});

const web = { labels: { app: 'web', tier: 'front' } };
const api = { labels: { app: 'api' } };
const list = async (selector: string, request: Omit<ListRequest, 'selector'> = {}) =>
  spell(await store.list(collection, { selector: parseSelector(selector), ...request }));

describe('a LIST of the store', () => {
  it('a LIST of a new collection is empty, at resourceVersion 1', async () => {
    expect(await store.list(collection, { selector: everything })).toEqual({ rv: 1, items: [] });
    expect(await store.list(collection, { selector: parseSelector('app=web') })).toEqual({
      rv: 1,
      items: [],
    });
  });

  it.each([
    ['', ['a@2', 'b@3', 'c@4', 'other/a@5']],
    ['app=web', ['a@2', 'other/a@5']],
    ['app==web', ['a@2', 'other/a@5']],
    ['app in (web,api)', ['a@2', 'b@3', 'other/a@5']],
    [`app in (api,${Array.from({ length: 40 }, (_, index) => `v${index}`)})`, ['b@3']],
    ['app', ['a@2', 'b@3', 'other/a@5']],
    ['app,tier', ['a@2', 'other/a@5']],
    ['app,!tier', ['b@3']],
    ['app=web,size>3', ['other/a@5']],
    ['size<3', ['c@4']],
    ['app!=web', ['b@3', 'c@4']],
    ['app notin (web,api)', ['c@4']],
    ['!app', ['c@4']],
    ['!app,!size', []],
    ['none', []],
    ['app=web,none', []],
  ])('a LIST with selector "%s" returns the selected objects', async (selector, expected) => {
    await put(store, collection, 'a', web);
    await put(store, collection, 'b', api);
    await put(store, collection, 'c', { labels: { size: '2' } });
    await put(store, collection, 'other/a', { labels: { ...web.labels, size: '5' } });
    expect(await list(selector)).toEqual(expected);
    expect(await list(selector, { namespace: 'default' })).toEqual(
      expected.filter((one) => !one.startsWith('other/')),
    );
    expect(await list(selector, { namespace: 'other', name: 'a' })).toEqual(
      expected.filter((one) => one.startsWith('other/')),
    );
    expect(await list(selector, { name: 'a' })).toEqual(expected.filter((one) => one.includes('a@')));

    // Later, in another process, only the indexes know the labels.
    for (let round = 0; round < 10; round += 1) await put(store, collection, 'busy/a', { spec: { round } });
    clock.advance(3_600_000);
    store = openStore(table, clock);
    expect(await list(selector, { namespace: 'default' })).toEqual(
      expected.filter((one) => !one.startsWith('other/')),
    );
    expect((await list(selector)).filter((one) => !one.startsWith('busy/'))).toEqual(expected);
  });

  it('a LIST with the selector `nothing` is empty, and reads no objects', async () => {
    await put(store, collection, 'a', web);
    table.faults.query = () => Promise.reject(new Error('a query'));
    expect(await store.list(collection, { selector: nothing })).toEqual({ rv: 2, items: [] });
  });

  it('a LIST stays within one namespace of similar names, or within cluster scope', async () => {
    const names = ['a/x', 'a-b/x', 'a.b/x', 'ab/x', 'a/x-y', 'a/x.y', 'a/xy'];
    for (const name of names) await put(store, collection, name, web);
    await store.write(collection, { namespace: '', name: 'x' }, () => ({
      kind: 'put',
      body: { metadata: {} },
    }));
    const of = async (namespace: string | undefined, selector: string) =>
      (await store.list(collection, { namespace, selector: parseSelector(selector) })).items.map(
        ({ name }) => `${name.namespace}/${name.name}`,
      );
    for (const selector of ['app=web', 'app', '']) {
      expect(await of('a', selector)).toEqual(['a/x', 'a/x-y', 'a/x.y', 'a/xy']);
    }
    expect(await of('', '')).toEqual(['/x']);
    expect(await of(undefined, '')).toEqual([
      '/x',
      'a-b/x',
      'a.b/x',
      'a/x',
      'a/x-y',
      'a/x.y',
      'a/xy',
      'ab/x',
    ]);
  });

  it('a LIST filters by additional conditions', async () => {
    await put(store, collection, 'a', { ...web, spec: { on: true } });
    await put(store, collection, 'b', web);
    const matches: ListRequest['matches'] = ({ body }) => JSON.stringify(body.spec) === '{"on":true}';
    expect(await list('', { matches })).toEqual(['a@2']);
    expect(await list('app=web', { matches, limit: 1 })).toEqual(['a@2']);
  });

  it('a LIST above the head is refused', async () => {
    await put(store, collection, 'a');
    const ahead = store.list(collection, { selector: everything, at: 3 });
    await expect(ahead).rejects.toThrow(FutureVersionError);
    await expect(ahead).rejects.toMatchObject({ asked: 3, head: 2 });
  });
});

describe('a LIST at a resourceVersion', () => {
  it('a LIST at any resourceVersion returns the collection of that time', async () => {
    await put(store, collection, 'a', web);
    await put(store, collection, 'b', web);
    await put(store, collection, 'a', api);
    await remove(store, collection, 'b');
    await put(store, collection, 'b', api);
    for (const [at, all, front] of [
      [1, [], []],
      [2, ['a@2'], ['a@2']],
      [3, ['a@2', 'b@3'], ['a@2', 'b@3']],
      [4, ['a@4', 'b@3'], ['b@3']],
      [5, ['a@4'], []],
      [6, ['a@4', 'b@6'], []],
    ] as const) {
      expect(await list('', { at })).toEqual(all);
      expect(await list('app=web', { at })).toEqual(front);
      expect(await list('tier', { at })).toEqual(front);
    }
  });

  it('a LIST below the compacted watermark is Gone without its entries, and exact at the watermark', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await put(store, collection, name);
    await store.raise(collection, 'settled', 5);
    await store.raise(collection, 'compacted', 3);
    for (const rv of [2, 3]) await real.delete(journalKeyOf(rv));
    const cold = openStore(real);
    await expect(cold.list(collection, { selector: everything, at: 2 })).rejects.toThrow(GoneError);
    await expect(readChanges(cold, collection, { after: 2 })).rejects.toThrow(GoneError);
    expect(spell(await cold.list(collection, { selector: everything, at: 3 }))).toEqual(['a@2', 'b@3']);
    expect(spell(await cold.list(collection, { selector: everything }))).toEqual([
      'a@2',
      'b@3',
      'c@4',
      'd@5',
    ]);
    expect((await readChanges(cold, collection, { after: 3 })).map(({ rv }) => rv)).toEqual([4, 5]);
  });

  it('a LIST across a missing settled entry is Gone, and no hole replaces the entry', async () => {
    for (const name of ['a', 'b', 'c']) await put(store, collection, name);
    await store.raise(collection, 'settled', 4);
    await real.delete(journalKeyOf(3));
    await expect(openStore(real).list(collection, { selector: everything, at: 2 })).rejects.toThrow(
      GoneError,
    );
    expect(await real.get(journalKeyOf(3))).toBeUndefined();
  });

  it('a LIST more than 20,000 changes back is Gone', async () => {
    await put(store, collection, 'a');
    await real.put({ pk: `head#${collection}`, sk: 'head', rv: 20_003 });
    await expect(store.list(collection, { selector: everything, at: 2 })).rejects.toThrow(GoneError);
  });

  it('a LIST is right in a process that paused until its journal was compacted', async () => {
    await put(store, collection, 'a', web);
    expect(await list('app=web')).toEqual(['a@2']);
    const other = openStore(real);
    for (const name of ['b', 'c', 'd']) await put(other, collection, name, web);
    await other.raise(collection, 'settled', 5);
    await other.raise(collection, 'compacted', 4);
    for (const rv of [2, 3, 4]) await real.delete(journalKeyOf(rv));
    expect(await list('app=web')).toEqual(['a@2', 'b@3', 'c@4', 'd@5']);
  });

  const journalKeyOf = (rv: number) => ({
    pk: `journal#${collection}#${rv % 8}`,
    sk: String(rv).padStart(16, '0'),
  });
});
