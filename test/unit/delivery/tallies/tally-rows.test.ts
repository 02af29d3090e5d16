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

describe('the digest row that dispatch writes', () => {
  it('a digest belongs to one start and attempt', async () => {
    await storeDigest(table, state, { position: 7, tally: '1/1/aa' });
    expect(await sentOf(state)).toEqual({ position: 7, tally: '1/1/aa' });
    expect(await sentOf({ ...state, attempt: 10 })).toBeUndefined();
    expect(await sentOf({ ...state, start: 2, attempt: 9 })).toBeUndefined();
  });

  it('a digest only rises, so that a late writer undoes nothing', async () => {
    const later = { ...state, attempt: 10 };
    await storeDigest(table, later, { position: 8, tally: '2/2/bb' });
    // As text, 9 sorts after 10.
    await storeDigest(table, state, { position: 99, tally: '9/9/99' });
    await storeDigest(table, later, { position: 7, tally: '1/1/aa' });
    expect(await sentOf(later)).toEqual({ position: 8, tally: '2/2/bb' });
    await storeDigest(table, later, { position: 10, tally: '3/3/cc' });
    expect(await sentOf(later)).toEqual({ position: 10, tally: '3/3/cc' });
  });

  it('the digest of a deleted subscription is not written again, and expires', async () => {
    const clock = new OwnedClock();
    await storeDigest(table, state, { position: 7, tally: '1/1/aa' });
    await closeTally(table, clock, 'u');
    expect(await table.get(tallyKey('u'))).not.toHaveProperty('tally');
    await storeDigest(table, { ...state, start: 5 }, { position: 8, tally: '2/2/bb' });
    const row = await table.get(tallyKey('u'));
    expect(row).not.toHaveProperty('tally');
    expect(Number(row?.ttl)).toBeGreaterThan(clock.now() / 1000);
  });

  it('a subscription without verification costs no requests', async () => {
    const silent = new Proxy(table, {
      get: () => () => Promise.reject(new Error('a request')),
    });
    expect(await readTallies(silent, [{ ...state, tally: '' }])).toEqual(new Map());
    await storeDigest(silent, { ...state, tally: '' }, { position: 7 });
  });
});
