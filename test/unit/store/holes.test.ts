import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import type { Clock } from '../../../lib/platform/index.ts';
import { decide } from '../../../lib/store/holes.ts';
import type { Table } from '../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const collection: Collection = 'test/things';
const RV = 7;
let clock: VirtualClock;
let began: number;
let puts = 0;

beforeEach(() => {
  clock = createVirtualClock();
  began = clock.now();
  puts = 0;
});

/** A table whose first puts end as told, and that works from then on. */
function tableOf(...first: ('busy' | 'fails')[]): Table {
  const table = createMemoryTable();
  return {
    ...table,
    put: (...request) => {
      const how = first[puts];
      puts += 1;
      if (how === 'busy') return Promise.resolve({ outcome: 'busy' });
      return how === 'fails' ? Promise.reject(new Error('not now')) : table.put(...request);
    },
  };
}

const decided = (table: Table, signal = new AbortController().signal, own: Clock = clock) =>
  decide({ table, clock: own, collection, rv: RV, signal });

describe('deciding a resourceVersion', () => {
  it('ends at once if its row is absent or holds an entry', async () => {
    const table = tableOf();
    expect(await decided(table)).toEqual({ kind: 'hole', rv: RV, time: began });
    clock.advance(1_000);
    expect(await decided(table)).toEqual({ kind: 'hole', rv: RV, time: began });
    expect(clock.now() - began).toBe(1_000);
  });

  it('ends after short pauses if a transaction holds its row', async () => {
    expect(await decided(tableOf('busy', 'busy'))).toMatchObject({ kind: 'hole' });
    expect({ puts, took: clock.now() - began }).toEqual({ puts: 3, took: 40 });
  });

  it('ends after longer pauses if the table fails to answer', async () => {
    expect(await decided(tableOf('fails', 'fails'))).toMatchObject({ kind: 'hole' });
    expect({ puts, took: clock.now() - began }).toEqual({ puts: 3, took: 400 });
  });

  it('makes no further attempt before a pause is over', async () => {
    const over = Promise.withResolvers<void>();
    const patient: Clock = { ...clock, sleep: () => over.promise };
    const answer = decided(tableOf('busy'), undefined, patient);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(puts).toBe(1);
    over.resolve();
    expect(await answer).toMatchObject({ kind: 'hole' });
  });

  it('fails if its time ends first', async () => {
    expect(await decided(tableOf(), AbortSignal.abort())).toBeUndefined();
    expect(puts).toBe(0);
  });
});
