import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { TooLargeError } from '../../../../lib/json/index.ts';
import { silentLogger, systemRandom, TIMING } from '../../../../lib/platform/index.ts';
import { everything, parseSelector } from '../../../../lib/selectors/index.ts';
import { readChunks } from '../../../../lib/store/chunks/chunk-rows.ts';
import {
  collectChunks,
  createStore,
  dueGcTasks,
  GC_TASK_SHARDS,
  GoneError,
  LabelLimitError,
  nameKey,
  type Row,
  type Store,
  type StoredGcTask,
} from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { freshCollection, named, put, remove, thing } from '../../../support/store/store-fixture.ts';

const collection = freshCollection();
/** Text that does not compress: 3 bytes become 4 characters. */
const noise = (text: string, length: number) =>
  createHash('shake256', { outputLength: length }).update(text).digest('base64').slice(0, length);

let clock: OwnedClock;
let table: FaultyTable;
let store: Store;
let puts: Row[];

beforeEach(() => {
  clock = new OwnedClock();
  puts = [];
  table = createFaultyTable(createMemoryTable());
  table.faults.put = async (next, row, ...more) => {
    puts.push(row);
    return next(row, ...more);
  };
  store = createStore({ table, clock, random: systemRandom, logger: silentLogger });
});

/** How long chunks stay that the journal may reference. */
const LIFE = TIMING.expiry + TIMING.request + TIMING.skew;

const sizeOf = (value: Row[string]): number =>
  typeof value === 'string' || value instanceof Uint8Array ? Buffer.byteLength(value) : 21;

const large = (text: string, length = 1_400_000) => ({ text: noise(text, length) });
const chunkPuts = () => puts.filter(({ pk }) => pk.startsWith('chunk#'));

async function tasks(): Promise<StoredGcTask[]> {
  const found: StoredGcTask[] = [];
  for (let shard = 0; shard < GC_TASK_SHARDS; shard += 1) {
    found.push(...(await dueGcTasks(table, { shard, until: clock.now() + 1e12, limit: 100 })));
  }
  return found;
}

/** Does the tasks that are due, as the collector does. */
async function collect(): Promise<void> {
  for (const task of await tasks()) {
    const due = Number(task.key.sk.split('#')[0]);
    if (due > clock.now()) continue;
    const named = { ...task, name: nameKey(task.name), chunks: String(task.chunks) };
    await collectChunks(table, named, clock.now());
    await table.delete(task.key);
  }
}

describe('an object that does not fit a row', () => {
  it('is stored in chunks of their own partitions, and every way of reading finds it', async () => {
    const spec = large('a');
    const { after } = await put(store, collection, 'a', { labels: { app: 'x' }, spec });
    const rows = chunkPuts();
    expect(rows.length).toBeGreaterThan(2);
    expect(new Set(rows.map(({ pk }) => pk)).size).toBe(rows.length);
    const stored = await store.get(collection, named('a'));
    expect(stored?.body).toEqual(after?.body);
    for (const selector of [everything, parseSelector('app=x')]) {
      const { items } = await store.list(collection, { selector });
      expect(items.map(({ body }) => body)).toEqual([after?.body]);
    }
    const { changes } = await store.nextChanges(collection, 1, 2);
    expect(changes.map((change) => change.after?.body)).toEqual([after?.body]);
    const { objects } = await store.prefetch({
      objects: [{ collection, name: named('a') }],
      collections: [],
    });
    expect(objects.map(({ state }) => state?.body)).toEqual([after?.body]);
    const { changes: past } = await store.historyOf(collection, { name: named('a'), all: true, limit: 9 });
    expect(past.map((change) => change.after?.body)).toEqual([after?.body]);
  });

  it('is not read where its labels do not match', async () => {
    await put(store, collection, 'a', { labels: { app: 'x' }, spec: large('a') });
    let reads = 0;
    table.faults.batchGet = async (next, keys, ...more) => {
      if (keys.some(({ pk }) => pk.startsWith('chunk#'))) reads += 1;
      return next(keys, ...more);
    };
    const { items } = await store.list(collection, { selector: parseSelector('app!=x') });
    expect([items.length, reads]).toEqual([0, 0]);
  });

  it('keeps both sides of each change in the journal, whichever of them is large', async () => {
    const specs = [
      { n: 1 },
      large('a', 300_000),
      large('b', 500_000),
      large('c'),
      large('d'),
      { n: 2 },
      large('e', 450_000),
    ];
    for (const spec of specs) await put(store, collection, 'a', { spec });
    const gone = await remove(store, collection, 'a');
    const { changes } = await store.nextChanges(collection, 1, gone.after?.rv ?? 0);
    expect(changes.map(({ before }) => before?.body.spec)).toEqual([undefined, ...specs]);
    expect(changes.map(({ after }) => after?.body.spec)).toEqual([...specs, undefined]);
    for (const [at, spec] of specs.entries()) {
      const { items } = await store.list(collection, { selector: everything, at: at + 2 });
      expect(items.map(({ body }) => body.spec)).toEqual([spec]);
    }
  });

  it('has one label less than others, so that its deletion fits a transaction with the task for its chunks', async () => {
    const labels = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, 'x']));
    await put(store, collection, 'many', { labels: labels(20) });
    await expect(put(store, collection, 'a', { labels: labels(96), spec: large('a') })).rejects.toThrow(
      LabelLimitError,
    );
    await put(store, collection, 'a', { labels: labels(95), spec: large('a') });
    let actions = 0;
    table.faults.transact = async (next, items, signal) => {
      actions = Math.max(actions, items.length);
      return next(items, signal);
    };
    await remove(store, collection, 'a');
    expect(actions).toBeLessThanOrEqual(100);
  });

  it('fits its rows if its labels change together with a body that almost fills one', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`${'p'.repeat(200)}.io/l${at}`, 'v'.repeat(63)]),
    );
    await put(store, collection, 'a', { labels: long, spec: { n: 1 } });
    let largest = 0;
    table.faults.transact = async (next, items, signal) => {
      for (const item of items) {
        const row = 'put' in item ? Object.entries(item.put) : [];
        const bytes = row.reduce((sum, [name, value]) => sum + name.length + sizeOf(value), 0);
        largest = Math.max(largest, bytes);
      }
      return next(items, signal);
    };
    for (const length of [515_000, 518_000, 519_500]) {
      await put(store, collection, 'a', { labels: long, spec: { n: 1 } });
      await put(store, collection, 'a', { spec: { text: noise(String(length), length) } });
    }
    expect(largest).toBeLessThan(400 * 1024);
  });

  it('is not read by a LIST of another name', async () => {
    await put(store, collection, 'a', { spec: large('a') });
    let reads = 0;
    table.faults.batchGet = async (next, keys, ...more) => {
      if (keys.some(({ pk }) => pk.startsWith('chunk#'))) reads += 1;
      return next(keys, ...more);
    };
    const { items } = await store.list(collection, { selector: everything, name: 'b' });
    expect([items.length, reads]).toEqual([0, 0]);
  });

  it('is refused above the size that etcd takes, and nothing is written', async () => {
    const write = put(store, collection, 'a', { spec: { text: 'x'.repeat(1_536 * 1024) } });
    await expect(write).rejects.toThrow(TooLargeError);
    expect(puts).toEqual([]);
  });

  it('is put once where a write is repeated, and keeps its chunks where its body stays', async () => {
    let faults = 2;
    table.faults.transact = async (next, items, signal) => {
      faults -= 1;
      return faults > 0 ? { outcome: 'cancelled' } : next(items, signal);
    };
    await clock.during(put(store, collection, 'a', { spec: large('a') }));
    const first = chunkPuts().length;
    expect(faults).toBe(0);
    expect(first).toBe(new Set(chunkPuts().map(({ pk }) => pk)).size);
    await remove(store, collection, 'a');
    expect(chunkPuts()).toHaveLength(first);
  });

  it('writes nothing in a dry run', async () => {
    const body = thing('a', {}, large('a'));
    await store.write(collection, named('a'), () => ({ kind: 'put', body }), { dryRun: true });
    expect(puts).toEqual([]);
  });
});

describe('the chunks of a body', () => {
  it('are deleted when no journal entry can reference them, and not while the object has them', async () => {
    await put(store, collection, 'a', { spec: large('a') });
    const [old] = await tasks();
    clock.advance(LIFE);
    await collect();
    expect(await tasks()).toEqual([]);
    expect((await store.get(collection, named('a')))?.body.spec).toEqual(large('a'));
    await put(store, collection, 'a', { spec: large('b') });
    clock.advance(LIFE - 1);
    await collect();
    expect(await readChunks(table, String(old?.chunks))).toBeDefined();
    clock.advance(1);
    await collect();
    expect(await readChunks(table, String(old?.chunks))).toBeUndefined();
    expect((await store.get(collection, named('a')))?.body.spec).toEqual(large('b'));
    await expect(store.nextChanges(collection, 2, 3)).rejects.toThrow(GoneError);
  });

  it('are deleted if the process died before its transaction', async () => {
    table.faults.transact = async () => {
      throw new Error('killed');
    };
    await expect(put(store, collection, 'a', { spec: large('a') })).rejects.toThrow('killed');
    const [task] = await tasks();
    clock.advance(LIFE);
    await collect();
    expect(await readChunks(table, String(task?.chunks))).toBeDefined();
    clock.advance(LIFE);
    await collect();
    expect(await readChunks(table, String(task?.chunks))).toBeUndefined();
    expect(await tasks()).toEqual([]);
  });

  it('stay as long as a journal entry references them, if the object is replaced just before their first task', async () => {
    await put(store, collection, 'a', { spec: large('a') });
    clock.advance(LIFE - 1);
    await put(store, collection, 'a', { spec: large('b') });
    clock.advance(1);
    await collect();
    const { changes } = await store.nextChanges(collection, 2, 3);
    expect(changes.map(({ before }) => before?.body.spec)).toEqual([large('a')]);
    clock.advance(3 * LIFE);
    await collect();
    await collect();
    const left = (await table.batchGet(chunkPuts())).map(({ pk }) => pk.split('#')[1]);
    expect(new Set(left).size).toBe(1);
    expect((await store.get(collection, named('a')))?.body.spec).toEqual(large('b'));
  });

  it('are deleted after the object', async () => {
    await put(store, collection, 'a', { spec: large('a') });
    await put(store, collection, 'a', { labels: { app: 'x' }, spec: large('a') });
    await remove(store, collection, 'a');
    clock.advance(LIFE);
    await collect();
    const refs = chunkPuts().map(({ pk, sk }) => ({ pk, sk }));
    expect(refs.length).toBeGreaterThan(0);
    expect(await table.batchGet(refs)).toEqual([]);
  });
});
