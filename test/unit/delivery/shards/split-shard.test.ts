import { beforeEach, describe, expect, it } from '@jest/globals';
import { splitShard } from '../../../../lib/delivery/shards/index.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { cursorKey, type Table } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { readCursor } from '../../../support/watch/read-cursor.ts';

const collection: Collection = 'core/pods';
const holder = 'me';
let table: Table;

beforeEach(async () => {
  table = createMemoryTable();
  await table.put({ ...cursorKey(collection), position: 7, members: 3, seen: 3, leaseHolder: holder });
});

const split = async (group = 0, as = holder, through = table) =>
  splitShard({
    table: through,
    clock: new OwnedClock(),
    logger: silentLogger,
    collection,
    group,
    holder: as,
    cursor: await readCursor(table, collection, group),
  });

describe('the split of a shard', () => {
  it('a split creates a shard for the second half, at the same position, with unseen subscriptions', async () => {
    expect(await split()).toBe(32);
    expect(await readCursor(table, collection)).toEqual({
      position: 7,
      members: 4,
      seen: 3,
      until: 32,
      admitting: '',
      selecting: 0,
    });
    expect(await readCursor(table, collection, 32)).toEqual({
      position: 7,
      members: 1,
      seen: 0,
      until: 64,
      admitting: '',
      selecting: 0,
    });
  });

  it('a split copies the marker of activations that an earlier dispatcher may still make', async () => {
    await table.update(cursorKey(collection), { set: { admitting: 'uid/turn', admitted: 'uid/before' } });
    await split();
    expect(await readCursor(table, collection)).toMatchObject({ admitting: 'uid/turn' });
    expect(await readCursor(table, collection, 32)).toMatchObject({ admitting: 'uid/turn' });
  });

  it('both halves can be split again', async () => {
    await split();
    await table.update(cursorKey(collection, 32), { set: { position: 9, leaseHolder: holder } });
    expect(await split(32)).toBe(48);
    expect(await split()).toBe(16);
    const all = await Promise.all([0, 16, 32, 48].map((group) => readCursor(table, collection, group)));
    expect(all.map(({ position, until }) => [position, until])).toEqual([
      [7, 16],
      [7, 32],
      [9, 48],
      [9, 64],
    ]);
  });

  it('a shard with one bucket is not split', async () => {
    await table.update(cursorKey(collection), { set: { until: 1 } });
    const unasked: Table = { ...table, transact: () => Promise.reject(new Error('not to be asked')) };
    expect(await split(0, holder, unasked)).toBeUndefined();
    await table.put({ ...cursorKey(collection, 63), leaseHolder: holder });
    expect(await split(63, holder, unasked)).toBeUndefined();
  });

  it('a shard is not split if the lease is lost', async () => {
    expect(await split(0, 'another')).toBeUndefined();
    expect((await readCursor(table, collection)).until).toBe(64);
    expect(await table.get(cursorKey(collection, 32))).toBeUndefined();
  });

  it('a shard is not split if the new shard exists already', async () => {
    await table.put({ ...cursorKey(collection, 32), position: 9 });
    expect(await split()).toBeUndefined();
    expect((await readCursor(table, collection)).until).toBe(64);
    expect((await readCursor(table, collection, 32)).position).toBe(9);
  });

  it('a split with an unknown outcome throws', async () => {
    const silent: Table = { ...table, transact: async () => ({ outcome: 'unknown' }) };
    await expect(split(0, holder, silent)).rejects.toThrow('it is unknown whether');
  });
});
