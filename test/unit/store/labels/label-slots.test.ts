import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Row, Table, Update } from '../../../../lib/store/index.ts';
import { slotsKey } from '../../../../lib/store/keys.ts';
import { LabelSlots } from '../../../../lib/store/labels/index.ts';
import { createFaultyTable, type FaultyTable } from '../../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const COLLECTION = 'test/things';
const NOW = Promise.resolve();
const keys = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `k${from + index}`);

let memory: Table;
let table: FaultyTable;
let reads: number;
let appended: Update[];

beforeEach(() => {
  memory = createMemoryTable();
  reads = 0;
  appended = [];
  table = createFaultyTable(memory, {
    get: (next, key) => {
      reads += 1;
      return next(key);
    },
    update: (next, key, change) => {
      appended.push(change);
      return next(key, change);
    },
  });
});

const open = () => new LabelSlots(COLLECTION);
const slotsNow = async () => {
  const { pk: _pk, sk: _sk, ...slots } = { ...(await memory.get(slotsKey(COLLECTION))) };
  return slots;
};
const assign = async (slots: LabelSlots, ...wanted: string[]) =>
  Object.fromEntries(await slots.assign(table, wanted));
const find = async (slots: LabelSlots, ...wanted: string[]) =>
  Object.fromEntries(await slots.find(table, wanted, NOW));

describe('a label key in a write', () => {
  it('gets the next slot, and all new keys of a write share one request', async () => {
    const slots = open();
    expect(await assign(slots, 'app', 'tier')).toEqual({ app: 0, tier: 1 });
    expect(await assign(slots, 'tier', 'zone')).toEqual({ tier: 1, zone: 2 });
    expect(await slotsNow()).toEqual({ k0: 'app', k1: 'tier', k2: 'zone' });
    expect(appended).toHaveLength(2);
  });

  it('is looked up once, and keeps its slot for all callers', async () => {
    const slots = open();
    await assign(slots, 'app');
    const before = reads;
    expect(await assign(slots, 'app')).toEqual({ app: 0 });
    expect(reads).toBe(before);
    expect(await assign(open(), 'tier', 'app')).toEqual({ app: 0, tier: 1 });
  });

  it('is put into the overflow if all slots are taken, also within one write', async () => {
    const places = await assign(open(), ...keys(18));
    expect(Object.values(places)).toEqual([...Array(16).keys(), 'overflow', 'overflow']);
    expect(Object.keys(await slotsNow())).toHaveLength(16);
    const other = open();
    expect(await assign(other, 'late')).toEqual({ late: 'overflow' });
    const before = reads;
    expect(await assign(other, 'later', 'k15')).toEqual({ later: 'overflow', k15: 15 });
    expect(reads).toBe(before);
    expect(appended).toHaveLength(1);
  });

  it('causes no request if the write has no labels', async () => {
    expect(await assign(open())).toEqual({});
    expect([reads, appended]).toEqual([0, []]);
  });

  it('gets another slot if a concurrent writer was faster', async () => {
    const rival = open();
    table.faults.update = async (next, key, change) => {
      delete table.faults.update;
      await rival.assign(memory, ['theirs', 'shared']);
      return next(key, change);
    };
    expect(await assign(open(), 'mine', 'shared')).toEqual({ mine: 2, shared: 1 });
    expect(await slotsNow()).toEqual({ k0: 'theirs', k1: 'shared', k2: 'mine' });
  });

  it('has the slot that an earlier attempt gave it if the answer was lost', async () => {
    table.faults.update = async (next, key, change) => {
      delete table.faults.update;
      await next(key, change);
      return next(key, change);
    };
    expect(await assign(open(), 'app')).toEqual({ app: 0 });
    expect(await slotsNow()).toEqual({ k0: 'app' });
  });

  it('is requested again if the slot row was busy', async () => {
    table.faults.update = async () => {
      delete table.faults.update;
      return { outcome: 'busy' };
    };
    expect(await assign(open(), 'app')).toEqual({ app: 0 });
    expect(reads).toBe(2);
  });

  it.each([2, 8])('never shares a slot between %i concurrent writers', async (writers) => {
    const wanted = Array.from({ length: writers }, (_, writer) => keys(4, writer * 3));
    const answers = await Promise.all(wanted.map((some) => assign(open(), ...some)));
    const slots = await slotsNow();
    expect(new Set(Object.values(slots)).size).toBe(Object.keys(slots).length);
    const taken = new Map(Object.values(slots).map((key, slot) => [key, slot]));
    for (const [key, place] of answers.flatMap(Object.entries)) {
      expect([key, place]).toEqual([key, taken.get(String(key)) ?? 'overflow']);
    }
  });
});

describe('a label key in a list', () => {
  it('is found without a read after the first one', async () => {
    await assign(open(), 'app', 'tier');
    const slots = open();
    expect(await find(slots, 'app')).toEqual({ app: 0 });
    expect(reads).toBe(2);
    expect(await find(slots, 'tier', 'app')).toEqual({ app: 0, tier: 1 });
    expect(reads).toBe(2);
  });

  it('is in no object if it has no slot, and each list reads that again', async () => {
    const slots = open();
    expect(await find(slots, 'app')).toEqual({});
    await assign(open(), 'app');
    expect(await find(slots, 'app')).toEqual({ app: 0 });
  });

  it('is in the overflow without a read if all slots are known to be taken', async () => {
    await assign(open(), ...keys(16));
    const slots = open();
    await find(slots, 'k1');
    const before = reads;
    expect(await find(slots, 'late')).toEqual({ late: 'overflow' });
    expect(reads).toBe(before);
  });

  it('is looked up again after the head if a concurrent read did not show it', async () => {
    const head = Promise.withResolvers<void>();
    const finding = open().find(table, ['app'], head.promise);
    await new Promise(setImmediate);
    expect(reads).toBe(1);
    await assign(open(), 'app');
    const before = reads;
    head.resolve();
    expect(Object.fromEntries(await finding)).toEqual({ app: 0 });
    expect(reads).toBe(before + 1);
  });

  it('is looked up by each list separately, because an answer in flight may be older', async () => {
    const slots = open();
    await find(slots, 'other');
    const answer = Promise.withResolvers<Row | undefined>();
    table.faults.get = () => {
      delete table.faults.get;
      return answer.promise;
    };
    const first = find(slots, 'app');
    await new Promise(setImmediate);
    await open().assign(memory, ['app']);
    expect(await find(slots, 'app')).toEqual({ app: 0 });
    answer.resolve(undefined);
    // Nor does the late and older answer take away what is known.
    expect(await first).toEqual({ app: 0 });
  });
});
