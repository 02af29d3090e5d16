import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { createStore, type Store } from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, put, thing } from '../../support/store/store-fixture.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const THINGS: Collection = 'test/things';
const OTHERS: Collection = 'test/others';
let table: FaultyTable;
/** Of one process, and of another. */
let store: Store;
let other: Store;

beforeEach(() => {
  table = createFaultyTable(createMemoryTable());
  const open = () =>
    createStore({ table, clock: createVirtualClock(), random: seeded(1), logger: silentLogger });
  store = open();
  other = open();
});

async function namesIn(collection: Collection): Promise<string[]> {
  const objects = (await store.snapshot([THINGS, OTHERS])).get(collection) ?? [];
  return objects.map(({ name }) => name.name).sort();
}

describe('a snapshot', () => {
  it('is the current state, with the writes of all processes', async () => {
    expect(await namesIn(THINGS)).toEqual([]);
    await put(other, THINGS, 'a');
    await put(other, OTHERS, 'b');
    expect(await namesIn(THINGS)).toEqual(['a']);
    await put(other, THINGS, 'c');
    await other.write(THINGS, named('a'), async () => ({ kind: 'delete', body: thing('a', {}) }));
    expect(await namesIn(THINGS)).toEqual(['c']);
    expect(await namesIn(OTHERS)).toEqual(['b']);
  });

  it('follows any number of changes', async () => {
    await put(other, THINGS, 'first');
    await namesIn(THINGS);
    for (let at = 0; at < 210; at += 1) await put(other, THINGS, `n${at % 7}`);
    expect(await namesIn(THINGS)).toEqual(['first', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
  });

  it('takes one request if nothing has changed', async () => {
    await put(other, THINGS, 'a');
    await namesIn(THINGS);
    let requests = 0;
    table.faults.batchGet = async (next, keys) => {
      requests += 1;
      return next(keys);
    };
    const never = async () => {
      throw new Error('nothing is to be read anew');
    };
    table.faults.query = never;
    table.faults.get = never;
    expect(await namesIn(THINGS)).toEqual(['a']);
    expect(requests).toBe(1);
  });
});

describe('a quota version', () => {
  const take = (of: Store, name: string, turn: number) =>
    of.write(THINGS, named(name), async () => ({ kind: 'put', body: thing(name, {}), turn }), {});

  it('is taken by only one of several writers that read the same one', async () => {
    const before = await store.turn(THINGS, 'default');
    expect(before).toBe(0);
    await take(store, 'a', before);
    const after = await store.turn(THINGS, 'default');
    expect(after).toBeGreaterThan(before);
    await expect(take(other, 'b', before)).rejects.toThrow('is being written by others');
    await take(other, 'b', after);
    await expect(take(store, 'c', after)).rejects.toThrow('is being written by others');
    expect(await store.turn(THINGS, 'elsewhere')).toBe(0);
  });
});

describe('an empty range of the journal', () => {
  it('ends at its start', async () => {
    await put(store, THINGS, 'a');
    const head = await store.head(THINGS);
    expect(await store.nextChanges(THINGS, head, head)).toEqual({ changes: [], upTo: head });
    expect(await store.decidedChanges(THINGS, head, head)).toEqual({ changes: [], upTo: head });
  });
});
