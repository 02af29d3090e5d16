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
  it('A lease is held by one process until it is released', async () => {
    expect(await acquireLease(asked('first'))).toMatchObject({ leaseHolder: 'first' });
    expect(await acquireLease(asked('second'))).toBeUndefined();
    await releaseLease(asked('first'));
    expect(await acquireLease(asked('second'))).toMatchObject({ leaseHolder: 'second' });
  });

  it('A release ends when its request is answered, however long that takes', async () => {
    await acquireLease(asked('first'));
    const fast = table;
    const gauge = new Gauge();
    table = { ...fast, update: (...request) => gauge.slowly(5, () => fast.update(...request)) };
    await releaseLease(asked('first'));
    expect(await isHeldBy('first')).toBe(false);
  });

  it('Another process may take a lease shortly after it expires', async () => {
    await acquireLease(asked('first'));
    clock.advance(LIFETIME);
    expect(await acquireLease(asked('second'))).toBeUndefined();
    clock.advance(1);
    expect(await acquireLease(asked('second'))).toBeDefined();
  });

  it('A holder renews its lease if the first answer was lost', async () => {
    await acquireLease(asked('first'));
    expect(await acquireLease(asked('first'))).toBeDefined();
  });

  it('A process whose lease expired leaves the lease alone', async () => {
    await acquireLease(asked('outlived'));
    clock.advance(LIFETIME + 1);
    await acquireLease(asked('present'));
    await releaseLease(asked('outlived'));
    expect(await isHeldBy('present')).toBe(true);
  });

  it('A lease is taken on an existing row only, if that is requested', async () => {
    const condition = [{ attribute: 'sk', is: '=', value: KEY.sk }] as const;
    expect(await acquireLease({ ...asked('first'), condition })).toBeUndefined();
    await table.put(KEY);
    expect(await acquireLease({ ...asked('first'), condition })).toBeDefined();
  });
});
