import { beforeEach, expect, it } from '@jest/globals';
import { everything } from '../../../../lib/selectors/index.ts';
import { eachPage, type Row, type Store, type Table } from '../../../../lib/store/index.ts';
import { objectKey } from '../../../../lib/store/keys.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { readChanges } from '../../../support/store/read-changes.ts';
import { freshCollection, openStore, put } from '../../../support/store/store-fixture.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const collection = freshCollection();
let table: Table;
let store: Store;

beforeEach(async () => {
  table = createMemoryTable();
  store = openStore(table);
  for (const name of NAMES) await put(store, collection, name, { spec: { junk: Array(1_000).fill({}) } });
});

async function pages(mostHeap: number): Promise<string[][]> {
  const found: string[][] = [];
  for await (const { items } of eachPage(store, collection, { selector: everything, mostHeap })) {
    found.push(items.map(({ name }) => name.name));
  }
  return found;
}

it('a page ends before its objects exceed the heap limit, and has at least one object', async () => {
  expect(await pages(160_000)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(await pages(1)).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
  expect(await pages(10_000_000)).toEqual([NAMES]);
});

it('rows and entries without a heap estimate are read and measured', async () => {
  const without = async (key: Row) => table.put({ ...key, heap: undefined });
  for (const name of NAMES) {
    const row = await table.get(objectKey(collection, `default/${name}`));
    if (row !== undefined) await without(row);
  }
  for (const { rv } of await readChanges(store, collection)) {
    const row = await table.get({ pk: `journal#${collection}#${rv % 8}`, sk: String(rv).padStart(16, '0') });
    if (row !== undefined) await without(row);
  }
  store = openStore(table);
  expect(await pages(160_000)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});
