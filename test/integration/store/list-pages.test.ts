import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { everything, parseSelector } from '../../../lib/selectors/index.ts';
import type { ListRequest, Store, Table } from '../../../lib/store/index.ts';
import {
  freshCollection,
  listPages,
  named,
  openStore,
  put,
  remove,
  spell,
} from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';

let table: Table;
let stop: () => Promise<void>;
let store: Store;
let collection: Collection;

beforeAll(async () => {
  ({ table, stop } = await startTable());
});
afterAll(() => stop());
beforeEach(() => {
  store = openStore(table);
  collection = freshCollection();
});

const web = { labels: { app: 'web', tier: 'front' } };
const api = { labels: { app: 'api' } };
const list = async (selector: string, request: Omit<ListRequest, 'selector'> = {}) =>
  spell(await store.list(collection, { selector: parseSelector(selector), ...request }));

describe('the pages of a LIST', () => {
  const spelled = ['a@2', 'b@3', 'c@4', 'd@5', 'e@6', 'f@7'];

  /** Creates, relabels, changes and deletes objects before and after the current page. */
  async function disturb(round: number) {
    const other = openStore(table);
    await put(other, collection, `a${round}`, web);
    await put(other, collection, `f${round}`, web);
    await put(other, collection, 'b', api);
    await put(other, collection, 'e', round % 2 === 0 ? api : web);
    await remove(other, collection, round % 2 === 0 ? 'd' : 'f');
    await put(other, collection, 'c', { ...web, spec: { round } });
  }

  describe.each(['', 'app=web', 'tier', 'app!=api', 'app=web,tier'])('pages of selector "%s"', (selector) => {
    it.each([1, 2, 5, 6, 7])('pages of %i show one state, whatever happens between them', async (limit) => {
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await put(store, collection, name, web);
      let round = 0;
      const request = { selector: parseSelector(selector), limit };
      const pages = await listPages(store, collection, request, () => {
        round += 1;
        return disturb(round);
      });
      expect(spell(pages)).toEqual(spelled);
      expect(pages.map(({ items }) => items.length).slice(0, -1)).toEqual(
        Array(Math.ceil(6 / limit) - 1).fill(limit),
      );
      expect(new Set(pages.map(({ rv }) => rv))).toEqual(new Set([7]));
    });
  });

  it('pages give the number of remaining objects if all were read anyway', async () => {
    for (let at = 0; at < 30; at += 1) await put(store, collection, `a${String(at).padStart(2, '0')}`, web);
    const remaining: (number | undefined)[] = [];
    const pages = await listPages(store, collection, { selector: everything, limit: 4 }, async () => {
      await put(store, collection, 'a99', web);
      await remove(store, collection, 'a29');
    });
    for (const page of pages) remaining.push(page.remaining);
    expect(remaining).toEqual([undefined, undefined, 18, 14, 10, 6, 2, undefined]);
  });

  it('a page ends at the next object, selected or not, because a search for a selected one may read all', async () => {
    for (const name of ['a', 'b', 'c']) await put(store, collection, name, web);
    const matches: ListRequest['matches'] = ({ name }) => name.name === 'a';
    const page = await store.list(collection, { selector: everything, matches, limit: 1 });
    expect(page.next).toEqual(named('a'));
    const last = await store.list(collection, { selector: everything, matches, limit: 1, after: named('a') });
    expect({ items: spell(last), next: last.next }).toEqual({ items: [], next: undefined });
  });

  it('an exactly full last page is not followed by an empty one', async () => {
    for (const name of ['a', 'b']) await put(store, collection, name, web);
    const page = await store.list(collection, { selector: everything, limit: 2 });
    expect(spell(page)).toEqual(['a@2', 'b@3']);
    expect(page.next).toBeUndefined();
  });

  it('a page after a name of another namespace stays within its namespace', async () => {
    for (const name of ['a', 'm/a', 'm/b']) await put(store, collection, name, web);
    for (const selector of ['', 'app=web']) {
      const page = (namespace: string, after: string) => list(selector, { namespace, after: named(after) });
      expect(await page('m', 'a')).toEqual(['m/a@3', 'm/b@4']);
      expect(await page('m', 'm/a')).toEqual(['m/b@4']);
      expect(await page('default', 'm/a')).toEqual([]);
      expect(await list(selector, { namespace: 'm', name: 'a', after: named('m/a') })).toEqual([]);
    }
  });
});
