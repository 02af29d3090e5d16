import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, objectAt } from '../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../lib/platform/index.ts';
import { OutOfTimeError } from '../../../lib/store/errors.ts';
import {
  ContentionError,
  createStore,
  type Store,
  ThrottledError,
  type TransactOutcome,
} from '../../../lib/store/index.ts';
import { headKey } from '../../../lib/store/keys.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, put, thing } from '../../support/store/store-fixture.ts';

const collection: Collection = 'test/things';
let clock: VirtualClock;
let table: FaultyTable;
let store: Store;
/** The pauses that are over, in ms. */
let slept: number[];

beforeEach(() => {
  clock = createVirtualClock();
  const sleep: typeof clock.sleep = async (milliseconds, signal) => {
    await clock.sleep(milliseconds, signal);
    slept.push(milliseconds);
  };
  slept = [];
  table = createFaultyTable(createMemoryTable());
  const random = { fraction: () => 1, suffix: () => '', uuid: () => '' };
  store = createStore({ table, clock: { ...clock, sleep }, random, logger: silentLogger });
});

/** Of the patience with a busy table, within each attempt. */
const PATIENCE = [50, 100, 200, 400, 800, 1_600];

describe('a write that does not succeed', () => {
  it.each<[string, TransactOutcome, number[]]>([
    ['others write the object', { outcome: 'cancelled' }, [40, 80, 160, 320, 640]],
    [
      'the table throttles',
      { outcome: 'cancelled', throttled: true },
      [...PATIENCE, 200, ...PATIENCE, 400, ...PATIENCE],
    ],
    ['the table does not answer', { outcome: 'unknown' }, [200, 400]],
  ])('doubles its pause before each attempt while %s', async (_, outcome, waited) => {
    table.faults.transact = async () => outcome;
    await expect(put(store, collection, 'a')).rejects.toThrow();
    expect(slept).toEqual(waited);
  });

  it('starts each retry after the pause', async () => {
    const began: number[] = [];
    table.faults.transact = async () => {
      began.push(slept.length);
      return { outcome: 'cancelled' };
    };
    await expect(put(store, collection, 'a')).rejects.toThrow();
    expect(began).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a write', () => {
  it('places its label keys before it gets a resourceVersion', async () => {
    const asked: string[] = [];
    table.faults.update = async (next, key, ...change) => {
      for (let turn = 0; key.sk === 'slots' && turn < 10; turn += 1) await new Promise(setImmediate);
      asked.push(key.sk);
      return next(key, ...change);
    };
    await put(store, collection, 'a', { labels: { app: 'x' } });
    expect(asked[0]).toBe('slots');
  });

  it('sends no request after its commit', async () => {
    const asked: string[] = [];
    table.faults.put = (next, ...request) => {
      asked.push(request[0].pk);
      return next(...request);
    };
    expect((await put(store, collection, 'a')).after?.rv).toBe(2);
    expect(asked).toEqual([]);
  });

  it('is not retried if its allotment was refused', async () => {
    table.faults.update = async () => {
      throw new ThrottledError('slow down');
    };
    await expect(put(store, collection, 'a')).rejects.toThrow('slow down');
  });

  it('is not started after the caller’s deadline', async () => {
    const late = put(store.within(AbortSignal.abort()), collection, 'a');
    await expect(late).rejects.toThrow(OutOfTimeError);
    expect(await store.get(collection, named('a'))).toBeUndefined();
  });

  it('is read back with the owners that the object is indexed under', async () => {
    const { metadata, ...body } = thing('a', {});
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'owner', uid: 'owner-uid' }];
    await store.write(collection, named('a'), () => ({
      kind: 'put',
      body: { ...body, metadata: { ...objectAt(metadata), ownerReferences } },
    }));
    expect((await store.get(collection, named('a')))?.trackedOwners).toEqual([
      expect.stringContaining('owner-uid'),
    ]);
  });

  it('reports the first cause of its failure, even if its time ended later', async () => {
    table.faults.transact = async () => {
      clock.advance(TIMING.request);
      return { outcome: 'cancelled' };
    };
    await expect(put(store, collection, 'a')).rejects.toThrow(ContentionError);
  });

  it('never gets a resourceVersion that is not above the object’s', async () => {
    const { pk, sk } = headKey(collection);
    await put(store, collection, 'a');
    await put(store, collection, 'a');
    for (const rv of [1, 2]) {
      await table.put({ pk, sk, rv });
      await expect(put(store, collection, 'a')).rejects.toThrow('was its head row restored?');
    }
  });
});

describe('a dry run', () => {
  const create = () => ({ kind: 'put', body: thing('a', {}) }) as const;

  it('of a create has no resourceVersion, and of an update the old one', async () => {
    const run = () => store.write(collection, named('a'), create, { dryRun: true });
    expect((await run()).after?.rv).toBe(0);
    await put(store, collection, 'a');
    expect((await run()).after?.rv).toBe(2);
    expect(await store.head(collection)).toBe(2);
  });
});
