import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { everything, parseSelector } from '../../../lib/selectors/index.ts';
import type { Key, ListRequest, Store, Table } from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createLaggingIndexes, type LaggingIndexes } from '../../support/store/lagging-indexes.ts';
import {
  freshCollection,
  listPages,
  openStore,
  put,
  remove,
  spell,
} from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';

let real: Table;
let stop: () => Promise<void>;
let indexes: LaggingIndexes;
let table: FaultyTable;
let store: Store;
let collection: Collection;

beforeAll(async () => {
  ({ table: real, stop } = await startTable());
});
afterAll(() => stop());
beforeEach(() => {
  indexes = createLaggingIndexes(real);
  table = createFaultyTable(indexes);
  store = openStore(table);
  collection = freshCollection();
});

const web = { labels: { app: 'web', tier: 'front' } };
const api = { labels: { app: 'api' } };
const list = async (selector: string, request: Omit<ListRequest, 'selector'> = {}) =>
  spell(await store.list(collection, { selector: parseSelector(selector), ...request }));

/** Sequences of writes. The indexes do not show the last step of each yet. */
const stories: Record<string, { earlier?: () => Promise<unknown>; unseen: () => Promise<unknown> }> = {
  'a create': { unseen: () => put(store, collection, 'b', web) },
  'a relabel that lets an object in': {
    earlier: () => put(store, collection, 'b', api),
    unseen: () => put(store, collection, 'b', web),
  },
  'a relabel that takes an object out': {
    earlier: () => put(store, collection, 'b', web),
    unseen: () => put(store, collection, 'b', api),
  },
  'a delete': {
    earlier: () => put(store, collection, 'b', web),
    unseen: () => remove(store, collection, 'b'),
  },
  'a delete and create': {
    earlier: () => put(store, collection, 'b', web),
    unseen: async () => {
      await remove(store, collection, 'b');
      await put(store, collection, 'b', api);
    },
  },
  'a relabel there and back': {
    earlier: () => put(store, collection, 'b', web),
    unseen: async () => {
      await put(store, collection, 'b', api);
      await put(store, collection, 'b', web);
    },
  },
};

describe('a LIST through an index that lags', () => {
  it.each(Object.keys(stories))('a LIST after %s is right, in a warm and a cold process', async (title) => {
    const { earlier, unseen } = stories[title] ?? {};
    await put(store, collection, 'a', web);
    await put(store, collection, 'c', web);
    await earlier?.();
    await list('app=web');
    indexes.freeze();
    await unseen?.();
    await expectExact(store, openStore(table));
  });

  it.each(Object.keys(stories))('a LIST after %s is right minutes and many changes later', async (title) => {
    const { earlier, unseen } = stories[title] ?? {};
    const clock = createVirtualClock();
    store = openStore(table, clock);
    await put(store, collection, 'a', web);
    await earlier?.();
    indexes.freeze();
    await unseen?.();
    for (let round = 0; round < 20; round += 1) await put(store, collection, 'busy', { spec: { round } });
    clock.advance(10 * 60_000);
    await expectExact(openStore(table, clock));
  });

  /** Expects the same LIST through the indexes as from the object rows, with any page size. */
  async function expectExact(...stores: Store[]) {
    const all = await store.list(collection, { selector: everything });
    for (const selector of ['app=web', 'tier', 'app in (web,none)', 'app=web,tier', 'app!=api,tier']) {
      const expected = all.items.filter(({ labels }) => parseSelector(selector).matches(labels));
      for (const by of stores) {
        for (const limit of [undefined, 1]) {
          const pages = await listPages(by, collection, { selector: parseSelector(selector), limit });
          expect(spell(pages)).toEqual(spell({ ...all, items: expected }));
        }
        const request = { selector: parseSelector(selector), most: { rows: 9, candidates: 9 } };
        expect(await by.visitLabels(collection, request, () => undefined)).toMatchObject({
          rv: all.rv,
          count: expected.length,
        });
      }
    }
  }
});

describe('a LIST while the rows of a transaction become readable one by one', () => {
  /**
   * Makes the first read of each object row return its old state, and later reads the current one. Journal entries,
   * heads and label entries are current at once.
   */
  async function freezeObjects() {
    const partition = `object#${collection}`;
    const { rows } = await real.query({ partition, from: '!', to: '~' });
    const known = new Map(rows.map((row) => [row.sk, row]));
    const read = new Set<string>();
    table.faults.query = async (next, request) => {
      if (request.partition !== partition) return next(request);
      const within = rows.filter(({ sk }) => sk >= request.from && sk <= request.to);
      const page = within.slice(0, request.limit);
      for (const { sk } of page) read.add(sk);
      return { rows: page, more: page.length < within.length };
    };
    table.faults.batchGet = async (next, keys) => {
      const isFirst = ({ pk, sk }: Key) => pk === partition && !read.has(sk);
      const first = keys.filter(isFirst);
      const answer = await next(keys.filter((key) => !isFirst(key)));
      for (const { sk } of first) read.add(sk);
      return [...answer, ...first.flatMap(({ sk }) => known.get(sk) ?? [])];
    };
  }

  it.each(['', 'app=web', 'app', 'app!=api'])(
    'a LIST rolls object rows forward to the journal entries, with selector "%s"',
    async (selector) => {
      for (const name of ['a', 'b', 'c']) await put(store, collection, name, web);
      const before = await store.head(collection);
      await freezeObjects();
      const writer = openStore(indexes);
      await put(writer, collection, 'a', { ...web, spec: { changed: true } });
      await remove(writer, collection, 'b');
      await put(writer, collection, 'c', api);
      // There are more changes than a cold process reads first.
      for (let round = 8; round <= 20; round += 1) {
        await put(writer, collection, 'd', { ...web, spec: { round } });
      }
      const expected = ['a@5', ...(['', 'app'].includes(selector) ? ['c@7'] : []), 'd@20'];
      for (const by of [store, openStore(table)]) {
        for (const limit of [undefined, 1, 2]) {
          const request = { selector: parseSelector(selector), limit };
          expect(spell(await listPages(by, collection, request))).toEqual(expected);
          expect(spell(await listPages(by, collection, { ...request, at: before }))).toEqual([
            'a@2',
            'b@3',
            'c@4',
          ]);
        }
      }
    },
  );
});
