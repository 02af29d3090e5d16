import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LabelIndexName, systemClock } from '../../../lib/platform/index.ts';
import type { Row, Table, TransactItem } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { startTable, type TestTable } from '../../support/store/table.ts';

const started: TestTable[] = [];
const tables: Record<string, () => Promise<Table>> = {
  DynamoDB: async () => {
    const one = await startTable();
    started.push(one);
    return one.table;
  },
  'the table in memory': async () => createMemoryTable(),
};

afterAll(async () => {
  for (const { stop } of started) await stop();
});

/** The contract of a table, for DynamoDB behind its adapter and for the table in memory. */
describe.each(Object.keys(tables))('a table: %s', (name) => {
  let table: Table;
  let partitions = 0;
  let pk: string;
  const key = (sk: string): Row => ({ pk, sk });
  const sks = (rows: readonly Row[]) => rows.map(({ sk }) => sk);
  const transact = (...items: TransactItem[]) => table.transact(items, systemClock.deadline(5_000));

  beforeAll(async () => {
    table = (await tables[name]?.()) as Table;
  });

  function fresh() {
    partitions += 1;
    pk = `partition${partitions}`;
  }

  it('the table returns stored text, numbers, booleans and bytes', async () => {
    fresh();
    const row = {
      ...key('a'),
      text: 'ü',
      number: 9007199254740991,
      truth: true,
      bytes: new Uint8Array([0, 255]),
    };
    expect(await table.get(key('a'))).toBeUndefined();
    expect(await table.put(row)).toEqual({ outcome: 'done' });
    expect(await table.get(key('a'))).toEqual(row);
    expect(await table.delete(key('a'))).toEqual({ outcome: 'done' });
    expect(await table.get(key('a'))).toBeUndefined();
  });

  it('a failed condition returns the existing row', async () => {
    fresh();
    const row = { ...key('a'), rv: 7, bytes: new Uint8Array([1]) };
    await table.put(row, [{ missing: 'pk' }]);
    expect(await table.put(key('a'), [{ missing: 'pk' }])).toEqual({ outcome: 'failed', existing: row });
    expect(await table.delete(key('a'), [{ attribute: 'rv', is: '<', value: 7 }])).toEqual({
      outcome: 'failed',
      existing: row,
    });
    expect(await table.delete(key('b'), [{ attribute: 'rv', is: '=', value: 7 }])).toEqual({
      outcome: 'failed',
    });
    expect((await table.delete(key('a'), [{ attribute: 'rv', is: '=', value: 7 }])).outcome).toBe('done');
  });

  it('the clauses of a condition are joined by AND, and those of `any` by OR', async () => {
    fresh();
    await table.put({ ...key('a'), rv: 7 });
    const below = (value: number) => ({ attribute: 'rv', is: '<', value }) as const;
    const outcomes = [
      await table.put({ ...key('a'), rv: 7 }, [below(8), below(7)]),
      await table.put({ ...key('a'), rv: 7 }, [{ any: [below(8), below(7)] }]),
      await table.put({ ...key('a'), rv: 7 }, [{ any: [{ missing: 'rv' }, below(7)] }]),
      await table.put({ ...key('a'), rv: 7 }, [{ any: [{ missing: 'other' }, below(7)] }]),
    ];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'done', 'failed', 'done']);
  });

  it('a condition can compare with >, and fails for an absent attribute', async () => {
    fresh();
    const above = (value: number) => ({ attribute: 'rv', is: '>', value }) as const;
    await table.put({ ...key('a'), rv: 7 });
    expect((await table.update(key('a'), { add: { rv: 1 }, condition: [above(7)] })).outcome).toBe('failed');
    expect((await table.update(key('a'), { add: { rv: 1 }, condition: [above(6)] })).row?.rv).toBe(8);
    expect((await table.update(key('b'), { add: { rv: 1 }, condition: [above(0)] })).outcome).toBe('failed');
  });

  it('an update adds, sets and removes, and returns the new row', async () => {
    fresh();
    expect((await table.update(key('a'), { add: { rv: 1 } })).row).toEqual({ ...key('a'), rv: 1 });
    const { row } = await table.update(key('a'), { add: { rv: 2 }, set: { text: 'x' } });
    expect(row).toEqual({ ...key('a'), rv: 3, text: 'x' });
    const filled = await table.update(key('a'), { setMissing: { text: 'y', since: 1 } });
    expect(filled.row).toMatchObject({ text: 'x', since: 1 });
    await table.update(key('a'), { remove: ['since'] });
    await table.update(key('a'), { remove: ['text'] });
    const lost = await table.update(key('a'), { set: { rv: 0 }, condition: [{ missing: 'rv' }] });
    expect(lost).toEqual({ outcome: 'failed', existing: { ...key('a'), rv: 3 } });
    expect((await table.get(key('a')))?.text).toBeUndefined();
  });

  it('a query pages through a partition in both directions, between inclusive bounds', async () => {
    fresh();
    for (const sk of ['a', 'b', 'c', 'd', 'e']) await table.put(key(sk));
    const query = (from: string, to: string, limit?: number, descending = false) =>
      table.query({ partition: pk, from, to, limit, descending });
    expect(sks((await query('b', 'd')).rows)).toEqual(['b', 'c', 'd']);
    expect(sks((await query('a', 'd', 2, true)).rows)).toEqual(['d', 'c']);
    expect((await query('a', 'e', 2)).more).toBe(true);
    expect((await query('d', 'e', 3)).more).toBe(false);
    expect(await query('x', 'y')).toEqual({ rows: [], more: false });
  });

  it('a batch read returns the existing rows of any number of keys', async () => {
    fresh();
    const all = Array.from({ length: 230 }, (_, index) => key(`k${String(index).padStart(3, '0')}`));
    const existing = all.filter((_, index) => index % 10 === 0);
    for (const one of existing) await table.put(one);
    expect(sks(await table.batchGet(all)).sort()).toEqual(sks(existing));
    expect(await table.batchGet([])).toEqual([]);
  });

  it('a row appears only in the indexes whose keys it has, with the projected attributes', async () => {
    fresh();
    const object = { ...key('ns/a'), labels: '{}', v0: 'web!ns/a', v15: '!ns/a' };
    const entry = { ...key('app'), labels: '{}', k: `${pk}#app`, v: 'web!ns/a' };
    await table.put({ ...object, body: 'none of it' });
    await table.put({ ...entry, more: 'none of it' });
    const shown = (index: LabelIndexName, partition: string) =>
      table.query({ index, partition, from: '!', to: '~' }).then(({ rows }) => rows);
    const { v0, v15, ...row } = object;
    expect(await shown('slot-0', pk)).toEqual([{ ...row, v0 }]);
    expect(await shown('slot-15', pk)).toEqual([{ ...row, v15 }]);
    expect(await shown('slot-1', pk)).toEqual([]);
    expect(await shown('overflow', `${pk}#app`)).toEqual([entry]);
    expect(await shown('overflow', pk)).toEqual([]);
    await table.put({ ...key('ns/a'), labels: '{}', v0: 'api!ns/a' });
    expect(await shown('slot-0', pk)).toEqual([{ ...row, v0: 'api!ns/a' }]);
    expect(await shown('slot-15', pk)).toEqual([]);
  });

  it('an index is sorted by value, the empty value first, and then by name', async () => {
    fresh();
    const places = [
      '!ns/b',
      '-!ns/z',
      '1!ns/a',
      '1!ns/b',
      '1-!ns/a',
      '1.0!ns/a',
      'A!ns/a',
      '_!ns/a',
      'a!ns/a',
    ];
    for (const v4 of places.toReversed()) await table.put({ ...key(v4), labels: '{}', v4 });
    const page = (from: string, to: string) =>
      table.query({ index: 'slot-4', partition: pk, from, to }).then(({ rows }) => rows.map(({ v4 }) => v4));
    expect(await page('!', '~')).toEqual(places);
    expect(await page('1!!', '1!~')).toEqual(['1!ns/a', '1!ns/b']);
    expect(await page('1"', '~')).toEqual(places.slice(4));
  });

  it('a transaction commits completely or not at all', async () => {
    fresh();
    await table.put({ ...key('gone'), rv: 1 });
    const committed = await transact(
      { put: key('a'), condition: [{ missing: 'pk' }] },
      { delete: key('gone') },
      { check: key('none'), condition: [{ missing: 'pk' }] },
    );
    expect(committed.outcome).toBe('committed');
    const cancelled = await transact({ put: key('b') }, { put: key('a'), condition: [{ missing: 'pk' }] });
    expect(cancelled.outcome).toBe('cancelled');
    expect(sks((await table.query({ partition: pk, from: '!', to: '~' })).rows)).toEqual(['a']);
  });

  it('a transaction updates existing rows and new ones', async () => {
    fresh();
    await table.put({ ...key('there'), rv: 1, count: 2 });
    const is = (value: number) => [{ attribute: 'rv', is: '=', value }] as const;
    const update = (value: number) =>
      transact(
        { update: key('there'), set: { rv: 2 }, add: { count: 1 }, condition: is(value) },
        { update: key('new'), set: { rv: 5 }, condition: [{ missing: 'pk' }] },
      );
    expect((await update(3)).outcome).toBe('cancelled');
    expect(await table.get(key('new'))).toBeUndefined();
    expect((await update(1)).outcome).toBe('committed');
    expect(await table.get(key('there'))).toEqual({ ...key('there'), rv: 2, count: 3 });
    expect(await table.get(key('new'))).toEqual({ ...key('new'), rv: 5 });
  });

  it('the outcome of a transaction after its deadline is unknown', async () => {
    fresh();
    expect((await table.transact([{ put: key('a') }], AbortSignal.abort())).outcome).toBe('unknown');
  });
});
