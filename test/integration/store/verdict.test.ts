import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { everything } from '../../../lib/selectors/index.ts';
import {
  OutOfTimeError,
  type Store,
  type Table,
  ThrottledError,
  UnavailableError,
  UndecidedError,
} from '../../../lib/store/index.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type Faults, type FaultyTable, once } from '../../support/store/faulty-table.ts';
import { readChanges } from '../../support/store/read-changes.ts';
import {
  createStrictLogger,
  freshCollection,
  named,
  openStore,
  put,
  spell,
} from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';

let real: Table;
let stop: () => Promise<void>;
let table: FaultyTable;
let clock: VirtualClock;
let store: Store;
let logger: ReturnType<typeof createStrictLogger>;
let collection: Collection;

beforeAll(async () => {
  ({ table: real, stop } = await startTable());
});
afterAll(() => stop());
beforeEach(() => {
  table = createFaultyTable(real);
  clock = createVirtualClock();
  logger = createStrictLogger();
  store = openStore(table, clock, logger);
  collection = freshCollection();
});

type TransactFault = NonNullable<Faults['transact']>;

/** Everything is written, and nobody hears of it. */
const answerLost: TransactFault = async (next, items, signal) => {
  await next(items, signal);
  return { outcome: 'unknown' };
};
const requestLost: TransactFault = async () => ({ outcome: 'unknown' });
const cancelled: TransactFault = async () => ({ outcome: 'cancelled' });
const throttled: TransactFault = async () => ({ outcome: 'cancelled', throttled: true });

const journal = async (upTo: number) =>
  (await readChanges(store, collection, { upTo })).map(({ rv, nameKey }) => `${nameKey}@${rv}`);

/** A writer that allots a resourceVersion and then dies. */
async function crash(name: string): Promise<void> {
  const dying = createFaultyTable(real, {
    transact: async () => {
      throw new Error('crash');
    },
  });
  await expect(put(openStore(dying, clock), collection, name)).rejects.toThrow('crash');
}

describe('the journal entry', () => {
  it('tells that the write stands although its answer was lost, and it is not repeated', async () => {
    table.faults.transact = once(answerLost);
    expect((await put(store, collection, 'a', { spec: { count: 1 } })).after?.rv).toBe(2);
    expect(await store.head(collection)).toBe(2);
    expect(await journal(2)).toEqual(['default/a@2']);
  });

  it.each([
    ['lost', requestLost],
    ['cancelled', cancelled],
  ])('is a hole where the transaction was %s, and the write goes on above it', async (_, fault) => {
    table.faults.transact = once(fault);
    expect((await put(store, collection, 'a')).after?.rv).toBe(3);
    expect(await journal(3)).toEqual(['default/a@3']);
    expect(logger.warnings).toEqual([]);
  });

  it('is put at the same resourceVersion when only throttling cancelled the transaction', async () => {
    table.faults.transact = once(throttled);
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
    expect(await journal(2)).toEqual(['default/a@2']);
  });

  it('is asked for again while a transaction holds it', async () => {
    table.faults.transact = once(answerLost);
    let asked = 0;
    table.faults.put = async (next, row, condition) => {
      asked += 1;
      return asked < 4 ? { outcome: 'busy' } : next(row, condition);
    };
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
    expect(asked).toBe(4);
  });

  it.each([
    ['is asked too much', new ThrottledError('slow down')],
    ['does not answer', new Error('socket hang up')],
  ])('is asked for again when the table %s', async (_, error) => {
    table.faults.transact = once(answerLost);
    table.faults.put = once<Parameters<Table['put']>, ReturnType<Table['put']>>(async () => {
      throw error;
    });
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
  });

  it('undecided at the deadline makes the write undecided, never a conflict', async () => {
    table.faults.transact = answerLost;
    table.faults.put = async () => ({ outcome: 'busy' });
    const began = clock.now();
    await expect(put(store, collection, 'a')).rejects.toThrow(UndecidedError);
    expect(clock.now() - began).toBeGreaterThanOrEqual(TIMING.request);
    expect(clock.now() - began).toBeLessThan(TIMING.gateway);
    table.faults = {};
    expect((await store.get(collection, named('a')))?.rv).toBe(2);
  });

  it('is asked for a last time after the deadline, and tells that the write stands', async () => {
    table.faults.transact = async (next, items, _signal) => {
      await next(items, new AbortController().signal);
      clock.advance(TIMING.request);
      return { outcome: 'unknown' };
    };
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
  });

  it('is asked for a last time after the deadline, and tells that nothing was written', async () => {
    table.faults.transact = async () => {
      clock.advance(TIMING.request);
      return { outcome: 'unknown' };
    };
    await expect(put(store, collection, 'a')).rejects.toThrow(UnavailableError);
    expect(await journal(2)).toEqual([]);
  });

  it('says of an undecided write that it may have been applied', async () => {
    table.faults.transact = requestLost;
    table.faults.put = async () => ({ outcome: 'busy' });
    await expect(put(store, collection, 'a')).rejects.toThrow(
      `whether default/a in ${collection} was written is not known: it may have been applied; read it before trying again`,
    );
  });

  it('makes the write undecided also while the table only fails', async () => {
    table.faults.transact = requestLost;
    table.faults.put = async () => {
      throw new ThrottledError('slow down');
    };
    await expect(put(store, collection, 'a')).rejects.toThrow(UndecidedError);
  });

  it('is never tried for when the state was read too long ago: the resourceVersion is given up', async () => {
    let changes = 0;
    const { after } = await store.write(collection, named('a'), async () => {
      changes += 1;
      if (changes === 1) clock.advance(TIMING.grace - TIMING.transaction + 1);
      return { kind: 'put', body: { metadata: { name: 'a' }, spec: { changes } } };
    });
    expect(after?.rv).toBe(3);
    expect(await journal(3)).toEqual(['default/a@3']);
  });
});

describe('a writer that a reader gave up', () => {
  it('A writer that a reader gave up writes once, under a new resourceVersion', async () => {
    table.faults.transact = once(async (next, items, _signal) => {
      const reader = openStore(real, clock, logger);
      expect((await reader.list(collection, { selector: everything })).items).toEqual([]);
      // It arrives after all, long after everybody stopped waiting for it.
      return next(items, new AbortController().signal);
    });
    expect((await put(store, collection, 'a')).after?.rv).toBe(3);
    expect(await journal(3)).toEqual(['default/a@3']);
    expect(spell(await store.list(collection, { selector: everything }))).toEqual(['a@3']);
    expect(logger.warnings).toEqual(['gave up waiting for writers']);
  });

  it('is told by its transaction when the deadline of the transaction is over', async () => {
    table.faults.transact = once(async (next, items, signal) => {
      clock.advance(TIMING.transaction);
      expect(signal.aborted).toBe(true);
      return next(items, signal);
    });
    expect((await put(store, collection, 'a')).after?.rv).toBe(3);
  });
});

describe('the gap that a crashed writer leaves', () => {
  it('A gap is waited for during the grace, and filled then', async () => {
    await put(store, collection, 'a');
    await crash('b');
    await put(store, collection, 'c');
    const began = clock.now();
    const filled: number[] = [];
    table.faults.put = (next, row, condition) => {
      filled.push(clock.now() - began);
      return next(row, condition);
    };
    expect(spell(await store.list(collection, { selector: everything }))).toEqual(['a@2', 'c@4']);
    expect(filled).toHaveLength(1);
    expect(filled[0]).toBeGreaterThanOrEqual(TIMING.grace);
    expect(await journal(4)).toEqual(['default/a@2', 'default/c@4']);
  });

  it('A filled gap costs later readers nothing', async () => {
    await crash('b');
    await store.list(collection, { selector: everything });
    const began = clock.now();
    await openStore(real, clock).list(collection, { selector: everything });
    expect(clock.now()).toBe(began);
  });

  it('is filled together with all others, in one grace', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await crash(name);
    const began = clock.now();
    expect((await store.list(collection, { selector: everything })).rv).toBe(5);
    expect(clock.now() - began).toBeLessThan(TIMING.grace + 500);
  });

  it('closes as soon as a slow writer commits, and then nobody is given up', async () => {
    await put(store, collection, 'a');
    const { promise: go, resolve: commit } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    table.faults.transact = once(async (next, items, signal) => {
      begin();
      await go;
      return next(items, signal);
    });
    const write = put(store, collection, 'b');
    await begun;
    let looks = 0;
    const reader = createFaultyTable(real, {
      batchGet: async (next, keys) => {
        looks += 1;
        if (looks === 4) {
          commit();
          await write;
        }
        return next(keys);
      },
    });
    const began = clock.now();
    const page = await openStore(reader, clock, logger).list(collection, { selector: everything });
    expect(spell(page)).toEqual(['a@2', 'b@3']);
    expect(clock.now() - began).toBeLessThan(TIMING.grace);
    expect(logger.warnings).toEqual([]);
  });

  it('is not mistaken for a compacted entry when another reader fills it and it is settled meanwhile', async () => {
    await crash('a');
    const other = openStore(real, clock);
    table.faults.get = async (next, key) => {
      if (key.sk === 'settled' && clock.now() >= graceOver) {
        await readChanges(other, collection, { upTo: 2 });
        await other.raise(collection, 'settled', 2);
      }
      return next(key);
    };
    const graceOver = clock.now() + TIMING.grace;
    expect(await readChanges(store, collection, { upTo: 2 })).toEqual([]);
  });

  it('is not filled by a reader whose table stays undecided', async () => {
    await crash('a');
    table.faults.put = async () => ({ outcome: 'busy' });
    await expect(store.list(collection, { selector: everything })).rejects.toThrow('stays undecided');
    table.faults = {};
    expect((await store.list(collection, { selector: everything })).rv).toBe(2);
  });
});

describe('a resourceVersion', () => {
  it('is taken again by a writer that is allotted the version of the empty collection', async () => {
    let allotted = 0;
    table.faults.update = (next, key, change) => {
      allotted += 1;
      return next(key, change);
    };
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
    expect(allotted).toBe(2);
  });

  it('is left out when its allotment got no answer, and the write begins anew above it', async () => {
    let read = 0;
    table.faults.get = (next, key) => {
      read += key.pk.startsWith('object#') ? 1 : 0;
      return next(key);
    };
    table.faults.update = once(async (next, key, change) => {
      await next(key, change);
      await next(key, change);
      throw new UnavailableError('no answer');
    });
    expect((await put(store, collection, 'a')).after?.rv).toBe(3);
    expect(read).toBe(2);
    expect(await journal(3)).toEqual(['default/a@3']);
  });

  it('is never written below the one an object has already', async () => {
    await put(store, collection, 'a');
    await put(store, collection, 'a');
    await real.put({ pk: `head#${collection}`, sk: 'head', rv: 2 });
    await expect(put(store, collection, 'a')).rejects.toThrow('was its head row restored?');
  });
});

describe('a write that the table does not let through', () => {
  it.each<[string, Faults, new (message?: string) => Error, string]>([
    ['whose transactions are throttled', { transact: throttled }, ThrottledError, 'is asked too much'],
    [
      'whose transactions get no answer',
      { transact: requestLost },
      UnavailableError,
      'did not answer in time',
    ],
    [
      'whose allotments get no answer',
      { update: () => Promise.reject(new UnavailableError('no answer')) },
      UnavailableError,
      'did not answer in time',
    ],
    [
      'whose reads are throttled',
      { get: () => Promise.reject(new ThrottledError('slow down')) },
      ThrottledError,
      'slow down',
    ],
  ])('%s, fails within its time, and nothing is written', async (_, faults, error, says) => {
    table.faults = faults;
    const began = clock.now();
    const failed = await put(store, collection, 'a').catch((thrown: unknown) => thrown);
    expect(failed).toBeInstanceOf(error);
    expect((failed as Error).message).toContain(says);
    expect(clock.now() - began).toBeLessThan(TIMING.request);
    table.faults = {};
    expect(await store.get(collection, named('a'))).toBeUndefined();
    expect(await journal(await store.head(collection))).toEqual([]);
  });

  /** Ms that a call is tried for, where chance shortens each pause the most. */
  const LEAST_PATIENCE = 3_500;

  it('stands when the throttling ends in time', async () => {
    const began = clock.now();
    const whileBusy = <Answer>(work: () => Promise<Answer>) =>
      clock.now() - began < LEAST_PATIENCE ? Promise.reject(new ThrottledError('slow down')) : work();
    table.faults.get = (next, ...request) => whileBusy(() => next(...request));
    table.faults.update = (next, ...request) => whileBusy(() => next(...request));
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
  });

  it('says that it ran out of time, and that nothing was written', async () => {
    const request = store.within(clock.deadline(1_000));
    table.faults.get = async () => {
      clock.advance(1_000);
      throw new OutOfTimeError('aborted');
    };
    await expect(put(request, collection, 'a')).rejects.toThrow(
      new OutOfTimeError(`default/a in ${collection} was not written: the request ran out of time`),
    );
  });

  it('allots nothing once the time is over', async () => {
    await expect(put(store.within(AbortSignal.abort()), collection, 'a')).rejects.toThrow(OutOfTimeError);
    expect(await store.head(collection)).toBe(1);
  });
});

describe('a list that the table does not let through', () => {
  beforeEach(() => put(store, collection, 'a'));
  const list = (by: Store = openStore(table, clock, logger)) => by.list(collection, { selector: everything });

  const throttle = async (): Promise<never> => {
    throw new ThrottledError('slow down');
  };

  it.each<[string, Faults]>([
    ['get', { get: once<Parameters<Table['get']>, ReturnType<Table['get']>>(throttle) }],
    ['query', { query: once<Parameters<Table['query']>, ReturnType<Table['query']>>(throttle) }],
    ['batchGet', { batchGet: once<Parameters<Table['batchGet']>, ReturnType<Table['batchGet']>>(throttle) }],
  ])('is patient with a throttled %s', async (_, faults) => {
    table.faults = faults;
    expect(spell(await list())).toEqual(['a@2']);
  });

  it('runs out of time while it waits for a writer that is gone', async () => {
    await crash('b');
    const began = clock.now();
    await expect(list(openStore(table, clock, logger).within(clock.deadline(2_000)))).rejects.toThrow(
      OutOfTimeError,
    );
    expect(clock.now() - began).toBeLessThan(2_000 + 500);
  });

  it('runs out of time while it fills what a writer left', async () => {
    await crash('b');
    table.faults.put = async () => ({ outcome: 'busy' });
    const late = openStore(table, clock, logger).within(clock.deadline(TIMING.grace + 1_000));
    await expect(list(late)).rejects.toThrow(OutOfTimeError);
  });

  it('of one request does not end that of another, which shares what is remembered', async () => {
    const shared = openStore(table, clock, logger);
    await expect(list(shared.within(AbortSignal.abort()))).rejects.toThrow(OutOfTimeError);
    expect(spell(await list(shared.within(clock.deadline(1_000))))).toEqual(['a@2']);
    await put(store, collection, 'b');
    clock.advance(1_000);
    expect(spell(await list(shared.within(clock.deadline(1_000))))).toEqual(['a@2', 'b@3']);
  });
});
