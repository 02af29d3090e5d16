import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MetricName } from '../../../lib/platform/index.ts';
import { everything } from '../../../lib/selectors/index.ts';
import {
  createStore,
  headKey,
  type Store,
  ThrottledError,
  type TransactOutcome,
} from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable, once } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { readChanges } from '../../support/store/read-changes.ts';
import { createStrictLogger, freshCollection, named, put } from '../../support/store/store-fixture.ts';
import { seeded } from '../../support/watch/memory-world.ts';

let table: FaultyTable;
let store: Store;
let measured: MetricName[];
const collection = freshCollection();

beforeEach(() => {
  table = createFaultyTable(createMemoryTable());
  measured = [];
  const metrics = { record: (metric: MetricName) => measured.push(metric) };
  const surroundings = { clock: createVirtualClock(), random: seeded(1), logger: createStrictLogger() };
  store = createStore({ table, metrics, ...surroundings });
});

function cancelOnce(why: Omit<TransactOutcome, 'outcome'> = {}): void {
  table.faults.transact = once((_next, _items, _signal) => Promise.resolve({ outcome: 'cancelled', ...why }));
}

/** A writer that died with a resourceVersion of its own. */
const abandon = () => table.update(headKey(collection), { add: { rv: 1 } });

describe('the store measures', () => {
  it('nothing if nothing fails', async () => {
    await put(store, collection, 'a');
    await store.list(collection, { selector: everything });
    expect(measured).toEqual([]);
  });

  it('each throttled request, and its retry', async () => {
    table.faults = { get: once((_next, _key) => Promise.reject(new ThrottledError('slow down'))) };
    await store.get(collection, named('a'));
    expect(measured).toEqual(['Throttles', 'Retries']);
  });

  it('throttled transactions', async () => {
    cancelOnce({ throttled: true });
    await put(store, collection, 'a');
    expect(measured).toEqual(['Throttles', 'Retries']);
  });

  it('writes that restart because of a concurrent write', async () => {
    cancelOnce();
    await put(store, collection, 'a');
    expect(measured).toEqual(['WriteRetries']);
  });

  it('each resourceVersion of a dead writer that a reader fills, once', async () => {
    await put(store, collection, 'a');
    await abandon();
    await abandon();
    await store.list(collection, { selector: everything });
    await store.list(collection, { selector: everything });
    expect(measured).toEqual(['HolesFilled', 'HolesFilled']);
  });

  it('a resourceVersion that stays undecided', async () => {
    await put(store, collection, 'a');
    await abandon();
    table.faults = { put: async () => ({ outcome: 'busy' }) };
    await expect(store.list(collection, { selector: everything })).rejects.toThrow('stays undecided');
    expect(measured).toEqual(['UndecidedHoles']);
  });
});

describe('a write within an HTTP request', () => {
  it('stores the request id in the journal, and in nothing that is read as the object', async () => {
    const rows: unknown[] = [];
    table.faults = {
      transact: (next, items, signal) => {
        rows.push(...items.flatMap((item) => ('put' in item && 'auditID' in item.put ? [item.put] : [])));
        return next(items, signal);
      },
    };
    const request = store.within(AbortSignal.timeout(60_000), { auditID: 'of-a-request', user: 'jane' });
    const { after } = await put(request, collection, 'a', { labels: { app: 'web' } });
    expect(rows).toEqual([
      expect.objectContaining({
        auditID: 'of-a-request',
        user: 'jane',
        pk: expect.stringContaining('journal#'),
      }),
    ]);
    const [change] = await readChanges(store, collection);
    expect(change).toMatchObject({ auditID: 'of-a-request', user: 'jane' });
    expect(JSON.stringify([after, change?.state])).not.toMatch(/of-a-request|jane/);
    await put(store, collection, 'b');
    const [, other] = await readChanges(store, collection);
    expect([other?.auditID, other?.user]).toEqual([undefined, undefined]);
  });
});
