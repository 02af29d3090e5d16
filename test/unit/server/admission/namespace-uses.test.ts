import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NamespaceUses } from '../../../../lib/server/admission/subscribing/namespace-uses.ts';
import { GoneError, headKey, type Store, type Table } from '../../../../lib/store/index.ts';
import { freshCollection, openStore } from '../../../support/store/store-fixture.ts';
import { startTable, type TestTable } from '../../../support/store/table.ts';

let testTable: TestTable;
beforeAll(async () => {
  testTable = await startTable();
});
afterAll(() => testTable.stop());

/** A store that counts its LISTs, and writes of objects with selectors. `faults` replaces operations of the store. */
function setUp(faults: Partial<Store> = {}) {
  const collection = freshCollection();
  const table: Table = testTable.table;
  const inner = openStore(table);
  let lists = 0;
  const store: Store = {
    ...inner,
    ...faults,
    list: (...given) => {
      lists += 1;
      return inner.list(...given);
    },
  };
  const put = (namespace: string, name: string, labelSelector: string) =>
    inner.write(collection, { namespace, name }, (current) => ({
      kind: 'put',
      body: {
        metadata: { name, namespace, uid: current?.uid ?? `${namespace}-${name}` },
        spec: { labelSelector },
      },
    }));
  const remove = (namespace: string, name: string) =>
    inner.write(collection, { namespace, name }, (current) => ({
      kind: 'delete',
      body: current?.body ?? {},
    }));
  const uses = new NamespaceUses();
  const use = async (namespace: string) => {
    const { sizes, unseen } = await uses.of(store, { collection, namespace });
    return { sizes: Object.fromEntries(sizes), unseen };
  };
  /** A write that has a resourceVersion and is not committed yet. */
  const begin = () => table.update(headKey(collection), { add: { rv: 1 } });
  return { put, remove, use, begin, lists: () => lists };
}

describe('The use of a namespace', () => {
  it('After the first LIST, the use follows creates, edits and deletes of its namespace', async () => {
    const { put, remove, use, lists } = setUp();
    await put('a', 'one', 'x');
    await put('b', 'other', 'xxxx');
    expect(await use('a')).toEqual({ sizes: { one: 1 }, unseen: 0 });
    await put('a', 'two', 'xy');
    await put('b', 'another', 'xxxx');
    await put('a', 'one', 'xyz');
    expect(await use('a')).toEqual({ sizes: { one: 3, two: 2 }, unseen: 0 });
    await remove('a', 'one');
    const both = await Promise.all([use('a'), use('a')]);
    expect(both).toEqual(Array(2).fill({ sizes: { two: 2 }, unseen: 0 }));
    expect(lists()).toBe(1);
  });

  it('A write that is under way is counted as unseen, and the use does not wait for it', async () => {
    const { put, use, begin, lists } = setUp();
    await put('a', 'one', 'x');
    await use('a');
    await begin();
    await put('a', 'two', 'x');
    expect(await use('a')).toEqual({ sizes: { one: 1 }, unseen: 2 });
    expect(lists()).toBe(1);
  });

  it('The use is listed again when the journal after it has expired', async () => {
    const { put, use, lists } = setUp({
      decidedChanges: () => Promise.reject(new GoneError('the journal is compacted')),
    });
    await put('a', 'one', 'x');
    await use('a');
    await put('a', 'two', 'x');
    expect(await use('a')).toEqual({ sizes: { one: 1, two: 1 }, unseen: 0 });
    expect(lists()).toBe(2);
  });

  it('The use is listed again after more than 100 changes', async () => {
    const { put, use, lists } = setUp();
    await put('a', 'one', 'x');
    await use('a');
    await Promise.all(Array.from({ length: 101 }, (_, at) => put('b', `n${at}`, 'x')));
    expect(await use('a')).toEqual({ sizes: { one: 1 }, unseen: 0 });
    expect(lists()).toBe(2);
  });
});
