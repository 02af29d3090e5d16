import { describe, expect, it } from '@jest/globals';
import { TABLE } from '../../../lib/platform/index.ts';
import { ThrottledError } from '../../../lib/store/index.ts';
import { bytesOf, readUnits, unitsOfWrite } from '../../bench/ceiling/capacity.ts';
import { Partitions } from '../../bench/ceiling/partitions.ts';
import { throttledTable } from '../../bench/ceiling/throttled-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const [SLOT] = TABLE.slots;
if (SLOT === undefined) throw new Error('the table has no slot');

const row = (bytes: number) => ({ pk: 'p', sk: 's', body: new Uint8Array(bytes - 10) });
const labelled = (value: string, labels = 'l') => ({
  ...row(100),
  [SLOT.partitionKey]: 'p',
  [SLOT.sortKey]: value,
  [TABLE.projected]: labels,
});

const LIMITS = { partition: { writes: 100, reads: 300 }, table: { writes: 150, reads: 450 }, burst: 0 };

describe('Capacity units', () => {
  it('The size of a row is that of its names and values', () => {
    expect(bytesOf({ pk: 'p', sk: 's', on: true, text: 'é' })).toBe(2 + 1 + 2 + 1 + 2 + 1 + 4 + 2);
    expect(bytesOf(row(1_024))).toBe(1_024);
  });

  it.each([
    [1_024, 1, 2],
    [1_025, 2, 4],
    [3_000, 3, 6],
  ])('A write of %d bytes takes %d units, in a transaction %d', (bytes, alone, inTransaction) => {
    expect(unitsOfWrite('p', undefined, row(bytes), false)).toEqual([{ key: 'p', writes: alone, reads: 0 }]);
    expect(unitsOfWrite('p', undefined, row(bytes), true)).toEqual([
      { key: 'p', writes: inTransaction, reads: 0 },
    ]);
  });

  it('A write that makes a row smaller takes the units of the larger row', () => {
    expect(unitsOfWrite('p', row(3_000), row(100), false)).toEqual([{ key: 'p', writes: 3, reads: 0 }]);
  });

  it.each([
    ['puts an entry', undefined, labelled('a'), 1],
    ['deletes an entry and puts one', labelled('a'), labelled('b'), 2],
    ['replaces an entry', labelled('a'), labelled('a', 'other'), 1],
    ['leaves the entry', labelled('a'), { ...labelled('a'), more: 'x' }, 0],
    ['deletes an entry', labelled('a'), undefined, 1],
  ])('A write that %s takes its units of the index', (_what, before, after, writes) => {
    const inIndex = unitsOfWrite('p', before, after, true).filter(({ key }) => key === `${SLOT.name} p`);
    expect(inIndex.reduce((sum, taken) => sum + taken.writes, 0)).toBe(writes);
  });

  it('A read takes a unit for 4 KB, and half of that if it is eventually consistent', () => {
    expect(readUnits(4_096, true)).toBe(1);
    expect(readUnits(4_097, true)).toBe(2);
    expect(readUnits(0, false)).toBe(0.5);
  });
});

describe('Partitions', () => {
  const taken = (key: string, writes: number, reads = 0) => [{ key, writes, reads }];

  it('A partition refuses requests until it has capacity again', () => {
    let now = 0;
    const partitions = new Partitions(LIMITS, () => now);
    for (let count = 0; count < 100; count += 1) expect(partitions.take(taken('a', 1))).toBe(true);
    expect(partitions.take(taken('a', 1))).toBe(false);
    expect(partitions.refused).toEqual(new Map([['a', 1]]));
    now = 10;
    expect(partitions.take(taken('a', 1))).toBe(true);
    expect(partitions.take(taken('a', 1))).toBe(false);
  });

  it('Reads and writes share the capacity of a partition', () => {
    const partitions = new Partitions(LIMITS, () => 0);
    expect(partitions.take(taken('a', 50, 150))).toBe(true);
    expect(partitions.take(taken('a', 0, 1))).toBe(false);
  });

  it('The whole table limits all partitions together', () => {
    const partitions = new Partitions(LIMITS, () => 0);
    expect(partitions.take(taken('a', 90))).toBe(true);
    expect(partitions.take(taken('b', 60))).toBe(true);
    expect(partitions.take(taken('c', 1))).toBe(false);
    expect([...partitions.refused.keys()]).toEqual(['the table']);
    expect(partitions.writes).toBe(150);
    expect(partitions.busiest()[0]).toEqual(['the table', 1]);
  });

  it('A request takes from all of its partitions or from none', () => {
    const partitions = new Partitions(LIMITS, () => 0);
    partitions.take(taken('a', 100));
    expect(partitions.take([...taken('b', 40), ...taken('a', 1)])).toBe(false);
    expect(partitions.take(taken('b', 40))).toBe(true);
  });
});

describe('The table that throttles', () => {
  const open = () => {
    const table = createMemoryTable();
    const partitions = new Partitions(LIMITS, () => 0);
    const sent: boolean[] = [];
    const rows = new Map<string, ReturnType<typeof row>>();
    const throttled = throttledTable(table, {
      partitions,
      rowOf: ({ pk, sk }) => rows.get(`${pk} ${sk}`),
      sent: (isThrottled) => sent.push(isThrottled),
    });
    return { table, partitions, throttled, sent };
  };

  it('A throttled request changes nothing and is counted', async () => {
    const { table, partitions, throttled, sent } = open();
    await throttled.put(row(100));
    partitions.charge([{ key: 'p', writes: 100, reads: 0 }]);
    await expect(throttled.put({ ...row(100), sk: 'other' })).rejects.toThrow(ThrottledError);
    expect(await table.get({ pk: 'p', sk: 'other' })).toBeUndefined();
    expect(sent).toEqual([false, true]);
  });

  it('One throttled partition cancels a transaction', async () => {
    const { table, partitions, throttled } = open();
    partitions.charge([{ key: 'b', writes: 100, reads: 0 }]);
    const items = ['a', 'b'].map((pk) => ({ put: { pk, sk: 's' } }));
    const signal = AbortSignal.timeout(60_000);
    expect(await throttled.transact(items, signal)).toEqual({ outcome: 'cancelled', throttled: true });
    expect(await table.get({ pk: 'a', sk: 's' })).toBeUndefined();
  });

  it('A query is charged for what it read', async () => {
    const { throttled, partitions, table } = open();
    await table.put(row(4_097));
    await throttled.query({ partition: 'p', from: 'a', to: 'z' });
    expect(partitions.busiest().find(([key]) => key === 'p')).toEqual(['p', 2 / 300]);
  });
});
