import { describe, expect, it } from '@jest/globals';
import { bumpSubscriptions } from '../../../../lib/delivery/shards/index.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { cursorKey, type Table } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { readCursor } from '../../../support/watch/read-cursor.ts';

const collection: Collection = 'core/pods';
const LOW = '1a-in-the-first-half';
const HIGH = 'ca-in-the-second-half';
const FIRST_OF_THE_NEW = 'c0-at-place-48';

function createRaising(reach: (table: Table) => Table = (one) => one) {
  const rows = createMemoryTable();
  const clock = new OwnedClock();
  const began = clock.now();
  const calls: string[] = [];
  const reached = reach(rows);
  const table: Table = {
    ...reached,
    get: (key) => {
      calls.push('get');
      return reached.get(key);
    },
    update: (key, change) => {
      calls.push(`update ${key.sk}`);
      return reached.update(key, change);
    },
  };
  const raise = (uid: string) => clock.during(bumpSubscriptions({ table, clock }, { collection, uid }));
  const slept = () => clock.now() - began;
  const membersOf = async (group: number) => (await readCursor(rows, collection, group)).members;
  return { rows, calls, raise, slept, membersOf };
}

async function splitIn(rows: Table): Promise<void> {
  await rows.update(cursorKey(collection), { set: { until: 32 } });
  await rows.update(cursorKey(collection, 32), { set: { position: 5, members: 1, seen: 0, until: 64 } });
}

describe('bumpSubscriptions', () => {
  it('bumpSubscriptions takes one request for a single shard, with or without a row', async () => {
    const { calls, raise, membersOf } = createRaising();
    expect(await raise(HIGH)).toMatchObject({ group: 0, members: 1 });
    expect(await raise(LOW)).toMatchObject({ collection, group: 0, members: 2, seen: 0, until: 64 });
    expect(calls).toEqual(['update cursor', 'update cursor']);
    expect(await membersOf(0)).toBe(2);
  });

  it('bumpSubscriptions raises only the shard of the subscription', async () => {
    const { rows, raise, membersOf } = createRaising();
    await splitIn(rows);
    expect(await raise(HIGH)).toMatchObject({ group: 32, members: 2, position: 5 });
    expect([await membersOf(0), await membersOf(32)]).toEqual([0, 2]);
    expect(await raise(LOW)).toMatchObject({ group: 0, members: 1 });
    expect([await membersOf(0), await membersOf(32)]).toEqual([1, 2]);
  });

  it.each([HIGH, FIRST_OF_THE_NEW])(
    'bumpSubscriptions raises the new shard of a split after the shards were read: %s',
    async (uid) => {
      let isRead = false;
      const { rows, raise, membersOf } = createRaising((table) => ({
        ...table,
        query: async (request) => {
          const page = await table.query(request);
          if (!isRead) {
            await table.update(cursorKey(collection, 32), { set: { until: 48 } });
            await table.update(cursorKey(collection, 48), { set: { members: 1, until: 64 } });
          }
          isRead = true;
          return page;
        },
      }));
      await splitIn(rows);
      expect(await raise(uid)).toMatchObject({ group: 48, members: 2 });
      expect(await membersOf(48)).toBe(2);
    },
  );

  it('bumpSubscriptions waits for a split that locks the row', async () => {
    let tries = 0;
    const { rows, raise, slept } = createRaising((table) => ({
      ...table,
      update: async (key, change) => (tries++ < 3 ? { outcome: 'busy' } : table.update(key, change)),
    }));
    await splitIn(rows);
    expect(await raise(LOW)).toMatchObject({ group: 0, members: 1 });
    expect(slept()).toBeGreaterThanOrEqual(300);
  });

  it('bumpSubscriptions gives up after a limited number of tries', async () => {
    const { calls, raise } = createRaising((table) => ({
      ...table,
      update: async () => ({ outcome: 'busy' }),
    }));
    await expect(raise(LOW)).rejects.toThrow('keep splitting the shards');
    expect(calls).toHaveLength(30);
  });

  it('bumpSubscriptions does not recreate the row of a shard that disappears', async () => {
    const { rows, raise } = createRaising((table) => ({
      ...table,
      update: async (key, change) => {
        if (key.sk !== cursorKey(collection).sk) await table.delete(key);
        return table.update(key, change);
      },
    }));
    await splitIn(rows);
    await expect(raise(HIGH)).rejects.toThrow('keep splitting the shards');
    expect(await rows.get(cursorKey(collection, 32))).toBeUndefined();
  });
});
