import { beforeEach, describe, expect, it } from '@jest/globals';
import { acquireLease, releaseLease } from '../../../lib/coordination/lease.ts';
import type { Table } from '../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { Gauge } from '../../support/gauge.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const KEY = { pk: 'head#test/things', sk: 'cursor' };
const LIFETIME = 1_000;
let table: Table;
let clock: VirtualClock;

const asked = (holder: string) => ({ table, clock, key: KEY, holder, lifetime: LIFETIME });
const isHeldBy = async (holder: string) => (await table.get(KEY))?.leaseHolder === holder;

beforeEach(() => {
  table = createMemoryTable();
  clock = createVirtualClock();
});

describe('a lease', () => {
  it('is held by one alone until it is given back', async () => {
    expect(await acquireLease(asked('first'))).toMatchObject({ leaseHolder: 'first' });
    expect(await acquireLease(asked('second'))).toBeUndefined();
    await releaseLease(asked('first'));
    expect(await acquireLease(asked('second'))).toMatchObject({ leaseHolder: 'second' });
  });

  it('is given back when that is answered, however long it takes', async () => {
    await acquireLease(asked('first'));
    const fast = table;
    const gauge = new Gauge();
    table = { ...fast, update: (...request) => gauge.slowly(5, () => fast.update(...request)) };
    await releaseLease(asked('first'));
    expect(await isHeldBy('first')).toBe(false);
  });

  it('ends a moment after its time, for another', async () => {
    await acquireLease(asked('first'));
    clock.advance(LIFETIME);
    expect(await acquireLease(asked('second'))).toBeUndefined();
    clock.advance(1);
    expect(await acquireLease(asked('second'))).toBeDefined();
  });

  it('is renewed by a holder whose first answer was lost', async () => {
    await acquireLease(asked('first'));
    expect(await acquireLease(asked('first'))).toBeDefined();
  });

  it('is left alone by a process that outlived its own lease', async () => {
    await acquireLease(asked('outlived'));
    clock.advance(LIFETIME + 1);
    await acquireLease(asked('present'));
    await releaseLease(asked('outlived'));
    expect(await isHeldBy('present')).toBe(true);
  });

  it('is taken of a row that is there, where that is asked for', async () => {
    const condition = [{ attribute: 'sk', is: '=', value: KEY.sk }] as const;
    expect(await acquireLease({ ...asked('first'), condition })).toBeUndefined();
    await table.put(KEY);
    expect(await acquireLease({ ...asked('first'), condition })).toBeDefined();
  });
});
