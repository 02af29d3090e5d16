import { describe, expect, it } from '@jest/globals';
import { measuredTable, noReadCost } from '../../../lib/store/tables/measured-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

describe('a measured table', () => {
  it('counts rows that exist', async () => {
    const tally = noReadCost();
    const table = measuredTable(createMemoryTable(), tally);
    await table.put({ pk: 'p', sk: 'a' });
    await table.get({ pk: 'p', sk: 'a' });
    expect(tally).toEqual({ requests: 2, rows: 2, units: 0 });
    await table.get({ pk: 'p', sk: 'b' });
    expect(tally).toEqual({ requests: 3, rows: 2, units: 0 });
  });

  it('has the deadline of the table that it measures', () => {
    const { signal } = new AbortController();
    expect(measuredTable({ ...createMemoryTable(), deadline: signal }, noReadCost()).deadline).toBe(signal);
    expect('deadline' in measuredTable(createMemoryTable(), noReadCost())).toBe(false);
  });
});
