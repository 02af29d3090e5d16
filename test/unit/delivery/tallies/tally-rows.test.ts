import { beforeEach, describe, expect, it } from '@jest/globals';
import { closeTally, readTallies, storeDigest } from '../../../../lib/delivery/tallies/tally-rows.ts';
import { type Table, tallyKey } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { Gauge } from '../../../support/gauge.ts';
import { createFaultyTable } from '../../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const state = { uid: 'u', start: 1, attempt: 9, tally: '0/0/00' };
let table: Table;

beforeEach(() => {
  const rows = createMemoryTable();
  const gauge = new Gauge();
  table = createFaultyTable(rows, {
    update: (next, ...request) => gauge.slowly(3, () => next(...request)),
    put: (next, ...request) => gauge.slowly(3, () => next(...request)),
  });
});

const sentOf = async (of: typeof state) => (await readTallies(table, [of])).get('u');

describe('The counts of dispatch', () => {
  it('The counts are of one start and attempt, and of no earlier one', async () => {
    await storeDigest(table, state, { position: 7, tally: '1/1/aa' });
    expect(await sentOf(state)).toEqual({ position: 7, tally: '1/1/aa' });
    expect(await sentOf({ ...state, attempt: 10 })).toBeUndefined();
    expect(await sentOf({ ...state, start: 2, attempt: 9 })).toBeUndefined();
  });

  it('The counts only rise: a late writer takes nothing back', async () => {
    const later = { ...state, attempt: 10 };
    await storeDigest(table, later, { position: 8, tally: '2/2/bb' });
    // As a text, 9 is above 10.
    await storeDigest(table, state, { position: 99, tally: '9/9/99' });
    await storeDigest(table, later, { position: 7, tally: '1/1/aa' });
    expect(await sentOf(later)).toEqual({ position: 8, tally: '2/2/bb' });
    await storeDigest(table, later, { position: 10, tally: '3/3/cc' });
    expect(await sentOf(later)).toEqual({ position: 10, tally: '3/3/cc' });
  });

  it('The counts of a deleted subscription are not written again, and expire', async () => {
    const clock = new OwnedClock();
    await storeDigest(table, state, { position: 7, tally: '1/1/aa' });
    await closeTally(table, clock, 'u');
    expect(await table.get(tallyKey('u'))).not.toHaveProperty('tally');
    await storeDigest(table, { ...state, start: 5 }, { position: 8, tally: '2/2/bb' });
    const row = await table.get(tallyKey('u'));
    expect(row).not.toHaveProperty('tally');
    expect(Number(row?.ttl)).toBeGreaterThan(clock.now() / 1000);
  });

  it('The counts cost nothing without verified subscriptions', async () => {
    const silent = new Proxy(table, {
      get: () => () => Promise.reject(new Error('a request')),
    });
    expect(await readTallies(silent, [{ ...state, tally: '' }])).toEqual(new Map());
    await storeDigest(silent, { ...state, tally: '' }, { position: 7 });
  });
});
