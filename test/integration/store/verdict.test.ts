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

/** Commits the transaction, and loses its response. */
const answerLost: TransactFault = async (next, items, signal) => {
  await next(items, signal);
  return { outcome: 'unknown' };
};
const requestLost: TransactFault = async () => ({ outcome: 'unknown' });
const cancelled: TransactFault = async () => ({ outcome: 'cancelled' });
const throttled: TransactFault = async () => ({ outcome: 'cancelled', throttled: true });

const journal = async (upTo: number) =>
  (await readChanges(store, collection, { upTo })).map(({ rv, nameKey }) => `${nameKey}@${rv}`);

/** Runs a writer that dies after its resourceVersion was allotted. */
async function crash(name: string): Promise<void> {
  const dying = createFaultyTable(real, {
    transact: async () => {
      throw new Error('crash');
    },
  });
  await expect(put(openStore(dying, clock), collection, name)).rejects.toThrow('crash');
}

describe('the journal entry that decides a write', () => {
  it('the journal entry shows that a write whose response was lost is committed, and it is not repeated', async () => {
    table.faults.transact = once(answerLost);
    expect((await put(store, collection, 'a', { spec: { count: 1 } })).after?.rv).toBe(2);
    expect(await store.head(collection)).toBe(2);
    expect(await journal(2)).toEqual(['default/a@2']);
  });

  it.each([
    ['lost', requestLost],
    ['cancelled', cancelled],
  ])('a %s transaction leaves a hole, and the write continues above it', async (_, fault) => {
    table.faults.transact = once(fault);
    expect((await put(store, collection, 'a')).after?.rv).toBe(3);
    expect(await journal(3)).toEqual(['default/a@3']);
    expect(logger.warnings).toEqual([]);
  });

  it('a transaction that only throttling cancelled is repeated at the same resourceVersion', async () => {
    table.faults.transact = once(throttled);
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
    expect(await journal(2)).toEqual(['default/a@2']);
  });

  it('the writer reads the journal entry again while a transaction holds it', async () => {
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
  ])('the writer reads the journal entry again when the table %s', async (_, error) => {
    table.faults.transact = once(answerLost);
    table.faults.put = once<Parameters<Table['put']>, ReturnType<Table['put']>>(async () => {
      throw error;
    });
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
  });

  it('a journal entry that is undecided at the deadline makes the write undecided, never a conflict', async () => {
    table.faults.transact = answerLost;
    table.faults.put = async () => ({ outcome: 'busy' });
    const began = clock.now();
    await expect(put(store, collection, 'a')).rejects.toThrow(UndecidedError);
    expect(clock.now() - began).toBeGreaterThanOrEqual(TIMING.request);
    expect(clock.now() - began).toBeLessThan(TIMING.gateway);
    table.faults = {};
    expect((await store.get(collection, named('a')))?.rv).toBe(2);
  });

  it('a last read of the journal entry after the deadline shows that the write is committed', async () => {
    table.faults.transact = async (next, items, _signal) => {
      await next(items, new AbortController().signal);
      clock.advance(TIMING.request);
      return { outcome: 'unknown' };
    };
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
  });

  it('a last read of the journal entry after the deadline shows that nothing was written', async () => {
    table.faults.transact = async () => {
      clock.advance(TIMING.request);
      return { outcome: 'unknown' };
    };
    await expect(put(store, collection, 'a')).rejects.toThrow(UnavailableError);
    expect(await journal(2)).toEqual([]);
  });

  it('the error of an undecided write says that it may have been applied', async () => {
    table.faults.transact = requestLost;
    table.faults.put = async () => ({ outcome: 'busy' });
    await expect(put(store, collection, 'a')).rejects.toThrow(
      `whether default/a in ${collection} was written is not known: it may have been applied; read it before trying again`,
    );
  });

  it('a write is undecided also if the table only fails', async () => {
    table.faults.transact = requestLost;
    table.faults.put = async () => {
      throw new ThrottledError('slow down');
    };
    await expect(put(store, collection, 'a')).rejects.toThrow(UndecidedError);
  });

  it('a writer that read the state too long ago gives up its resourceVersion without a transaction', async () => {
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
  it('a writer that a reader gave up writes once, under a new resourceVersion', async () => {
    table.faults.transact = once(async (next, items, _signal) => {
      const reader = openStore(real, clock, logger);
      expect((await reader.list(collection, { selector: everything })).items).toEqual([]);
      // The transaction arrives long after its writer and the reader stopped waiting for it.
      return next(items, new AbortController().signal);
    });
    expect((await put(store, collection, 'a')).after?.rv).toBe(3);
    expect(await journal(3)).toEqual(['default/a@3']);
    expect(spell(await store.list(collection, { selector: everything }))).toEqual(['a@3']);
    expect(logger.warnings).toEqual(['gave up waiting for writers']);
  });

  it('a transaction after its deadline is aborted, and the writer takes a new resourceVersion', async () => {
    table.faults.transact = once(async (next, items, signal) => {
      clock.advance(TIMING.transaction);
      expect(signal.aborted).toBe(true);
      return next(items, signal);
    });
    expect((await put(store, collection, 'a')).after?.rv).toBe(3);
  });
});

describe('the gap that a crashed writer leaves', () => {
  it('a reader waits for the gap during the grace, and then fills it', async () => {
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

  it('a filled gap costs later readers nothing', async () => {
    await crash('b');
    await store.list(collection, { selector: everything });
    const began = clock.now();
    await openStore(real, clock).list(collection, { selector: everything });
    expect(clock.now()).toBe(began);
  });

  it('all gaps are filled together in one grace', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await crash(name);
    const began = clock.now();
    expect((await store.list(collection, { selector: everything })).rv).toBe(5);
    expect(clock.now() - began).toBeLessThan(TIMING.grace + 500);
  });

  it('the gap closes as soon as a slow writer commits, and no writer is given up', async () => {
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

  it('a gap that another reader fills and settles meanwhile is not taken for a compacted entry', async () => {
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

  it('a reader does not fill the gap while the table stays undecided', async () => {
    await crash('a');
    table.faults.put = async () => ({ outcome: 'busy' });
    await expect(store.list(collection, { selector: everything })).rejects.toThrow('stays undecided');
    table.faults = {};
    expect((await store.list(collection, { selector: everything })).rv).toBe(2);
  });
});

describe('the allotment of a resourceVersion', () => {
  it('a writer that is allotted the version of the empty collection takes another one', async () => {
    let allotted = 0;
    table.faults.update = (next, key, change) => {
      allotted += key.pk.startsWith('head#') ? 1 : 0;
      return next(key, change);
    };
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
    expect(allotted).toBe(2);
  });

  it('a resourceVersion whose allotment got no response is skipped, and the write starts again above it', async () => {
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

  it('an object is never written below its current resourceVersion', async () => {
    await put(store, collection, 'a');
    await put(store, collection, 'a');
    await real.put({ pk: `head#${collection}`, sk: 'head', rv: 2 });
    await expect(put(store, collection, 'a')).rejects.toThrow('was its head row restored?');
  });
});

describe('a write that the table does not accept', () => {
  it.each<[string, Faults, new (message?: string) => Error, string]>([
    [
      'whose transactions are throttled',
      { transact: throttled },
      ThrottledError,
      'the table throttled the request',
    ],
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
  ])('a write %s fails in time, and nothing is written', async (_, faults, error, says) => {
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

  /** The shortest time in ms for which a call is retried, if the random pauses are the shortest. */
  const LEAST_PATIENCE = 3_500;

  it('a write succeeds if the throttling ends in time', async () => {
    const began = clock.now();
    const whileBusy = <Answer>(work: () => Promise<Answer>) =>
      clock.now() - began < LEAST_PATIENCE ? Promise.reject(new ThrottledError('slow down')) : work();
    table.faults.get = (next, ...request) => whileBusy(() => next(...request));
    table.faults.update = (next, ...request) => whileBusy(() => next(...request));
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
  });

  it('the error of a write that ran out of time says that nothing was written', async () => {
    const request = store.within(clock.deadline(1_000));
    table.faults.get = async () => {
      clock.advance(1_000);
      throw new OutOfTimeError('aborted');
    };
    await expect(put(request, collection, 'a')).rejects.toThrow(
      new OutOfTimeError(`default/a in ${collection} was not written: the request ran out of time`),
    );
  });

  it('a write allots no resourceVersion after its deadline', async () => {
    await expect(put(store.within(AbortSignal.abort()), collection, 'a')).rejects.toThrow(OutOfTimeError);
    expect(await store.head(collection)).toBe(1);
  });
});

describe('a LIST that the table does not accept', () => {
  beforeEach(() => put(store, collection, 'a'));
  const list = (by: Store = openStore(table, clock, logger)) => by.list(collection, { selector: everything });

  const throttle = async (): Promise<never> => {
    throw new ThrottledError('slow down');
  };

  it.each<[string, Faults]>([
    ['get', { get: once<Parameters<Table['get']>, ReturnType<Table['get']>>(throttle) }],
    ['query', { query: once<Parameters<Table['query']>, ReturnType<Table['query']>>(throttle) }],
    ['batchGet', { batchGet: once<Parameters<Table['batchGet']>, ReturnType<Table['batchGet']>>(throttle) }],
  ])('a LIST retries a throttled %s', async (_, faults) => {
    table.faults = faults;
    expect(spell(await list())).toEqual(['a@2']);
  });

  it('a LIST runs out of time while it waits for a dead writer', async () => {
    await crash('b');
    const began = clock.now();
    await expect(list(openStore(table, clock, logger).within(clock.deadline(2_000)))).rejects.toThrow(
      OutOfTimeError,
    );
    expect(clock.now() - began).toBeLessThan(2_000 + 500);
  });

  it('a LIST runs out of time while it fills the gap of a dead writer', async () => {
    await crash('b');
    table.faults.put = async () => ({ outcome: 'busy' });
    const late = openStore(table, clock, logger).within(clock.deadline(TIMING.grace + 1_000));
    await expect(list(late)).rejects.toThrow(OutOfTimeError);
  });

  it('the deadline of one LIST does not end another that shares the cache', async () => {
    const shared = openStore(table, clock, logger);
    await expect(list(shared.within(AbortSignal.abort()))).rejects.toThrow(OutOfTimeError);
    expect(spell(await list(shared.within(clock.deadline(1_000))))).toEqual(['a@2']);
    await put(store, collection, 'b');
    clock.advance(1_000);
    expect(spell(await list(shared.within(clock.deadline(1_000))))).toEqual(['a@2', 'b@3']);
  });
});
