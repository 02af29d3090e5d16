import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { createStore, type Store } from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable, once } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, thing } from '../../support/store/store-fixture.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const THINGS: Collection = 'test/things';
const NAMES = ['ip#1', 'ip#2', 'ip#3'];
let table: FaultyTable;
let store: Store;

beforeEach(() => {
  table = createFaultyTable(createMemoryTable());
  store = createStore({ table, clock: createVirtualClock(), random: seeded(1), logger: silentLogger });
});

const put = (name: string, reserves?: readonly string[]) =>
  store.write(THINGS, named(name), async () => ({
    kind: 'put',
    body: { ...thing(name, {}), spec: { reserves: reserves?.join(' ') ?? 'as before' } },
    ...(reserves && { reserves }),
  }));

const remove = (name: string) =>
  store.write(THINGS, named(name), async (current) =>
    current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body },
  );

async function holders(): Promise<Record<string, string>> {
  return Object.fromEntries(await store.reservationHolders(NAMES));
}

describe('a reservation', () => {
  it('belongs to one object, whatever else is written to it, until the object is deleted', async () => {
    await put('a', ['ip#1', 'ip#2']);
    expect(await holders()).toEqual({ 'ip#1': 'uid-a', 'ip#2': 'uid-a' });
    await put('a');
    await expect(put('b', ['ip#2'])).rejects.toThrow('is being written by others');
    expect(await store.get(THINGS, named('b'))).toBeUndefined();
    await put('a', ['ip#2', 'ip#3']);
    expect(await holders()).toEqual({ 'ip#2': 'uid-a', 'ip#3': 'uid-a' });
    await remove('a');
    expect(await holders()).toEqual({});
    await put('b', ['ip#2']);
  });

  it('commits together with the write or not at all, wherever the write breaks off', async () => {
    table.faults.transact = async () => ({ outcome: 'unknown' });
    await expect(put('a', ['ip#1'])).rejects.toThrow();
    delete table.faults.transact;
    expect([await holders(), await store.get(THINGS, named('a'))]).toEqual([{}, undefined]);
    // Committed, and the answer is lost.
    table.faults.transact = async (next, ...request) => {
      await next(...request);
      return { outcome: 'unknown' };
    };
    await put('a', ['ip#1']);
    expect(await holders()).toEqual({ 'ip#1': 'uid-a' });
    await remove('a');
    expect(await holders()).toEqual({});
  });

  it('is taken above the resourceVersion of its release, so that no two objects hold it at once', async () => {
    table.faults.transact = once(async (next, ...request) => {
      await put('b', ['ip#1']);
      await remove('b');
      return next(...request);
    });
    const { after } = await put('a', ['ip#1']);
    const changes = await store.nextChanges(THINGS, 1, await store.head(THINGS));
    const told = changes.changes.map(({ type, nameKey }) => `${type} ${nameKey}`);
    expect(told).toEqual(['ADDED default/b', 'DELETED default/b', 'ADDED default/a']);
    expect([await holders(), after?.uid]).toEqual([{ 'ip#1': 'uid-a' }, 'uid-a']);
  });

  it('is refused if so many would make the object undeletable', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `ip#${at}`);
    await expect(put('a', many(97))).rejects.toThrow('97');
    await put('a', many(96));
    await remove('a');
    expect(await holders()).toEqual({});
  });
});
