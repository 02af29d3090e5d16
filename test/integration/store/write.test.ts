import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type JsonObject, objectAt, TooLargeError } from '../../../lib/json/index.ts';
import { everything, parseSelector } from '../../../lib/selectors/index.ts';
import {
  CHUNKS_SCHEMA,
  ContentionError,
  LabelLimitError,
  type Store,
  type Table,
  type TransactItem,
} from '../../../lib/store/index.ts';
import { slotsKey } from '../../../lib/store/keys.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { targetOf } from '../../support/store/memory-table.ts';
import { readChanges } from '../../support/store/read-changes.ts';
import {
  freshCollection,
  named,
  openStore,
  put,
  remove,
  spell,
  thing,
} from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';

let real: Table;
let stop: () => Promise<void>;
let table: FaultyTable;
let store: Store;
let collection: Collection;

beforeAll(async () => {
  ({ table: real, stop } = await startTable());
});
afterAll(() => stop());
beforeEach(() => {
  table = createFaultyTable(real);
  store = openStore(table);
  collection = freshCollection();
});

/** The actions and partitions of each transaction, such as `put journal`, without the collection. */
function watchTransactions(): string[][] {
  const seen: string[][] = [];
  table.faults.transact = (next, items, signal) => {
    seen.push(items.map(spellItem));
    return next(items, signal);
  };
  return seen;
}

function spellItem(item: TransactItem): string {
  const verb = Object.keys(item)[0];
  const { pk, sk } = targetOf(item);
  const kind = pk.slice(0, pk.indexOf('#'));
  return kind === 'labels' ? `${verb} labels ${sk}` : `${verb} ${kind}`;
}

const counterOf = (body: JsonObject | undefined) =>
  Number((body?.spec as JsonObject | undefined)?.count ?? 0);
const counter = (count: number) => ({ kind: 'put', body: thing('a', {}, { count }) }) as const;

/** Increments a counter as a client would, with retries until no other writer interferes. */
async function increment(by: Store): Promise<number> {
  for (;;) {
    try {
      const { after } = await by.write(collection, named('a'), (now) => counter(counterOf(now?.body) + 1));
      return after?.rv ?? 0;
    } catch (error) {
      if (!(error instanceof ContentionError)) throw error;
    }
  }
}

describe('a write of the store', () => {
  it('each write takes the next resourceVersion, from 2 on', async () => {
    expect(await store.head(collection)).toBe(1);
    const rvs: unknown[] = [];
    for (const name of ['a', 'b', 'a']) rvs.push((await put(store, collection, name)).after?.rv);
    rvs.push((await remove(store, collection, 'b')).after?.rv);
    expect(rvs).toEqual([2, 3, 4, 5]);
    expect(await store.head(collection)).toBe(5);
  });

  it('a write that depends on the whole collection is decided again after a concurrent write', async () => {
    await put(store, collection, 'a');
    let decisions = 0;
    const count = async () => {
      const { rv, items } = await store.list(collection, { selector: everything });
      decisions += 1;
      if (decisions === 1) await put(store, collection, 'b');
      return { kind: 'put', body: thing('counted', {}, { count: items.length }), after: rv } as const;
    };
    const { after } = await store.write(collection, named('counted'), count);
    expect({ decisions, count: counterOf(after?.body) }).toEqual({ decisions: 2, count: 2 });
  });

  it('a write returns the states before and after it', async () => {
    const created = await put(store, collection, 'a', { labels: { app: 'x' } });
    expect(created).toMatchObject({ kind: 'put', after: { rv: 2, uid: 'uid-a', labels: { app: 'x' } } });
    expect(created.before).toBeUndefined();
    const deleted = await remove(store, collection, 'a');
    expect(deleted).toMatchObject({
      kind: 'delete',
      before: { rv: 2 },
      after: { rv: 3, labels: { app: 'x' } },
    });
    expect(await store.get(collection, named('a'))).toBeUndefined();
  });

  it('a write without a change takes no resourceVersion', async () => {
    await put(store, collection, 'a');
    const outcome = await store.write(collection, named('a'), () => ({ kind: 'none' }));
    expect(outcome).toMatchObject({ kind: 'none', before: { rv: 2 }, after: { rv: 2 } });
    expect(await store.head(collection)).toBe(2);
  });

  it('a write fails with the error of its change function', async () => {
    const refuse = () => {
      throw new RangeError('no');
    };
    await expect(store.write(collection, named('a'), refuse)).rejects.toThrow(RangeError);
    expect(await store.head(collection)).toBe(1);
  });

  it('a dry run commits nothing', async () => {
    await put(store, collection, 'a');
    const body = thing('a', { app: 'x' });
    const outcome = await store.write(collection, named('a'), () => ({ kind: 'put', body }), {
      dryRun: true,
    });
    expect(outcome).toMatchObject({ kind: 'put', before: { rv: 2 }, after: { labels: { app: 'x' } } });
    expect(await store.head(collection)).toBe(2);
    expect((await store.get(collection, named('a')))?.labels).toEqual({});
  });

  it('a write keeps the body unchanged, compressed or not', async () => {
    const spec = { text: 'ü'.repeat(2_000), list: [1, null, { deep: [''] }], __proto__: 1, empty: {} };
    const body = thing('a', { constructor: 'x', toString: '' }, JSON.parse(JSON.stringify(spec)));
    await store.write(collection, named('a'), () => ({ kind: 'put', body }));
    const state = await store.get(collection, named('a'));
    expect(state?.body).toEqual(body);
    expect(state?.labels).toEqual({ constructor: 'x', toString: '' });
  });
});

describe('concurrent writers', () => {
  it.each([2, 10])('concurrent writers, %i on one object, lose no update', async (writers) => {
    const stores = Array.from({ length: writers }, () => openStore(table));
    const rvs = await Promise.all(stores.map(increment));
    expect(new Set(rvs).size).toBe(writers);
    const state = await store.get(collection, named('a'));
    expect(counterOf(state?.body)).toBe(writers);
    expect(state?.rv).toBe(Math.max(...rvs));
    const changes = await readChanges(store, collection);
    expect(changes.map(({ state: { body } }) => counterOf(body))).toEqual(rvs.map((_, index) => index + 1));
  });

  it('one of two concurrent creates succeeds, and the other finds the object', async () => {
    const create = (by: Store) =>
      by.write(collection, named('a'), (now) => (now === undefined ? counter(1) : { kind: 'none' }));
    const outcomes = await Promise.all([create(store), create(openStore(table))]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['none', 'put']);
  });

  it('a writer gives up after six attempts that lost to others', async () => {
    let others = 0;
    const rival = openStore(real);
    const write = store.write(collection, named('a'), async () => {
      others += 1;
      await put(rival, collection, 'a', { spec: { by: 'rival' } });
      return counter(others);
    });
    await expect(write).rejects.toThrow(ContentionError);
    expect(others).toBe(6);
    expect((await store.get(collection, named('a')))?.body.spec).toEqual({ by: 'rival' });
  });

  it('a create that began before a create and delete by others is written above them', async () => {
    const rival = openStore(real);
    table.faults.transact = async (next, items, signal) => {
      table.faults = {};
      await put(rival, collection, 'a');
      await remove(rival, collection, 'a');
      return next(items, signal);
    };
    expect((await put(store, collection, 'a')).after?.rv).toBe(5);
    const changes = await readChanges(store, collection, { upTo: 5 });
    expect(changes.map(({ rv, type }) => `${type}@${rv}`)).toEqual(['ADDED@3', 'DELETED@4', 'ADDED@5']);
  });

  it('an object that was deleted long before can be created again', async () => {
    await put(store, collection, 'a');
    await remove(store, collection, 'a');
    expect((await put(store, collection, 'a')).after?.rv).toBe(4);
  });
});

describe('the transaction of a write', () => {
  const labels = (count: number, value = '') =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, `v${index}${value}`]));

  it('the transaction of a new object has four items, for any number of labels in slots', async () => {
    const seen = watchTransactions();
    await put(store, collection, 'a', { labels: labels(16) });
    expect(seen).toEqual([['put object', 'put journal', 'put relabel', 'check tombstone']]);
  });

  it('the transaction has two items if labels stay, and three if they change', async () => {
    await put(store, collection, 'a', { labels: { app: 'x', tier: 'y' } });
    const seen = watchTransactions();
    await put(store, collection, 'a', { labels: { tier: 'y', app: 'x' }, spec: { changed: true } });
    await put(store, collection, 'a', { labels: { app: 'z' } });
    expect(seen).toEqual([
      ['put object', 'put journal'],
      ['put object', 'put journal', 'put relabel'],
    ]);
  });

  it('the transaction has an entry for each overflow label, and rewrites them all if any label changes', async () => {
    await put(store, collection, 'a', { labels: labels(16) });
    const seen = watchTransactions();
    await put(store, collection, 'b', { labels: labels(18) });
    await put(store, collection, 'b', { labels: { ...labels(17), k0: 'changed' } });
    await put(store, collection, 'b', { labels: { ...labels(17), k0: 'changed' }, spec: { changed: true } });
    await remove(store, collection, 'b');
    const created = ['put object', 'put journal', 'put relabel', 'check tombstone'];
    expect(seen).toEqual([
      [...created, 'put labels k16', 'put labels k17'],
      ['put object', 'put journal', 'put relabel', 'put labels k16', 'delete labels k17'],
      ['put object', 'put journal'],
      ['delete object', 'put journal', 'put relabel', 'put tombstone', 'delete labels k16'],
    ]);
    const left = await real.query({ partition: `labels#${collection}#default/b`, from: '!', to: '~' });
    expect(left.rows).toEqual([]);
  });

  it('slots are assigned before the transaction, but not for a dry run or a refused write', async () => {
    const slots = () => real.get(slotsKey(collection));
    const body = thing('a', { app: 'x' });
    await store.write(collection, named('a'), () => ({ kind: 'put', body }), { dryRun: true });
    const large = thing('a', { app: 'x' }, { text: 'x'.repeat(1_536 * 1024) });
    await expect(store.write(collection, named('a'), () => ({ kind: 'put', body: large }))).rejects.toThrow(
      TooLargeError,
    );
    expect(await slots()).toBeUndefined();
    table.faults.transact = async (next, items, signal) => {
      expect(await slots()).toMatchObject({ k0: 'app' });
      return next(items, signal);
    };
    await put(store, collection, 'a', { labels: { app: 'x' } });
    expect(await slots()).not.toHaveProperty('k1');
  });
});

describe('a body that does not fit a row', () => {
  it('is written, read, listed, replaced and deleted', async () => {
    const texts = ['a', 'b'].map((text) =>
      createHash('shake256', { outputLength: 1_050_000 }).update(text).digest('base64'),
    );
    for (const text of texts) {
      await put(store, collection, 'a', { labels: { app: 'x' }, spec: { text } });
      expect((await store.get(collection, named('a')))?.body.spec).toEqual({ text });
      const { items } = await store.list(collection, { selector: parseSelector('app=x') });
      expect(items.map(({ body }) => body.spec)).toEqual([{ text }]);
    }
    await remove(store, collection, 'a');
    const changes = await readChanges(store, collection);
    expect(changes.map(({ before }) => before?.body.spec)).toEqual([
      undefined,
      ...texts.map((text) => ({ text })),
    ]);
  });
});

describe('a write beyond the limits of row schemas without chunks', () => {
  beforeEach(() => {
    store = openStore({ ...table, rowSchema: () => CHUNKS_SCHEMA - 1 });
  });

  const noise = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join('');
  const labelsOf = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'.repeat(length)]));

  async function refusal(body: JsonObject): Promise<unknown> {
    const seen = watchTransactions();
    const head = await store.head(collection);
    const error = await store
      .write(collection, named('a'), () => ({ kind: 'put', body }))
      .catch((thrown: unknown) => thrown);
    expect(seen).toEqual([]);
    expect(await store.head(collection)).toBe(head);
    return error;
  }

  it('a write is refused for the raw size of its object', async () => {
    const error = await refusal(thing('a', {}, { text: 'x'.repeat(768 * 1024) }));
    expect(error).toBeInstanceOf(TooLargeError);
    expect(error).toMatchObject({ limit: 768 * 1024 });
  });

  it('a write is refused for the compressed size of its object', async () => {
    expect(await refusal(thing('a', {}, { text: noise(500_000) }))).toBeInstanceOf(TooLargeError);
  });

  it('a write is refused for the compressed size of both states together', async () => {
    await put(store, collection, 'a', { spec: { text: noise(280_000) } });
    expect(await refusal(thing('a', {}, { text: noise(280_000) }))).toBeInstanceOf(TooLargeError);
  });

  it('a write is refused for the number of its labels', async () => {
    expect(await refusal(thing('a', labelsOf(97, 1)))).toBeInstanceOf(LabelLimitError);
  });

  it('a write is refused for the number of old and new labels together', async () => {
    await put(store, collection, 'a', { labels: labelsOf(90, 1) });
    const others = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`other${index}`, '']));
    const error = await refusal(thing('a', others));
    expect(error).toBeInstanceOf(LabelLimitError);
    expect(error).toMatchObject({ field: 'metadata.labels' });
  });

  it('a write is refused for the bytes of its label entries', async () => {
    const labels = Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [`${'p'.repeat(230)}.io/k${index}`, 'v'.repeat(63)]),
    );
    expect(await refusal(thing('a', labels))).toBeInstanceOf(LabelLimitError);
  });

  it('the error gives the size and the limit', async () => {
    const error = await refusal(thing('a', {}, { text: noise(500_000) }));
    expect(error).toMatchObject({ limit: 390_000 });
    expect((error as TooLargeError).size).toBeGreaterThan(400_000);
    expect((error as Error).message).toMatch(/^the compressed object .* \d+ bytes, the limit is 390000$/);
  });

  it('a delete is refused if the journal cannot hold both of its states', async () => {
    await put(store, collection, 'b', { spec: { text: noise(300_000) } });
    const body = thing('b', {}, { text: noise(300_000) });
    const write = store.write(collection, named('b'), () => ({ kind: 'delete', body }));
    await expect(write).rejects.toThrow(TooLargeError);
    expect((await store.get(collection, named('b')))?.rv).toBe(2);
  });

  it('a delete is refused if its last state is too large for an event', async () => {
    await put(store, collection, 'b');
    const body = thing('b', {}, { text: 'x'.repeat(2_000_000) });
    const write = store.write(collection, named('b'), () => ({ kind: 'delete', body }));
    await expect(write).rejects.toThrow(TooLargeError);
  });

  it.each([
    ['of the largest raw size', () => 'x'.repeat(768 * 1024 - 200)],
    ['of the largest compressed size', () => noise(460_000)],
  ])('an object %s can still be marked and deleted', async (_, text) => {
    const largest = await growUntilRefused(text());
    const marked = {
      ...largest,
      metadata: { ...objectAt(largest.metadata), deletionTimestamp: '2026-01-01T00:00:00Z' },
    };
    await store.write(collection, named('b'), () => ({ kind: 'put', body: marked }));
    const { after } = await remove(store, collection, 'b');
    expect(after?.body).toEqual(marked);
  });

  /** Puts an object with as much of `text` as is accepted, to within some bytes. Returns its body. */
  async function growUntilRefused(text: string): Promise<JsonObject> {
    let [fits, refused] = [0, text.length + 400];
    while (refused - fits > 20) {
      const length = Math.floor((fits + refused) / 2);
      const padded = (text + 'y'.repeat(400)).slice(0, length);
      const written = await put(store, collection, 'b', { spec: { text: padded } }).catch(
        (error: unknown) => {
          if (!(error instanceof TooLargeError)) throw error;
        },
      );
      if (written === undefined) {
        refused = length;
      } else {
        fits = length;
        await remove(store, collection, 'b');
      }
    }
    const spec = { text: (text + 'y'.repeat(400)).slice(0, fits) };
    return (await put(store, collection, 'b', { spec })).after?.body ?? {};
  }

  it('a write just below the limits is accepted, and its object can be deleted', async () => {
    const text = 'x'.repeat(768 * 1024 - 200);
    await put(store, collection, 'a', { labels: labelsOf(96, 1) });
    await remove(store, collection, 'a');
    await put(store, collection, 'b', { spec: { text } });
    await store.write(collection, named('b'), (now) => ({
      kind: 'delete',
      body: { ...now?.body, status: { said: 'x'.repeat(1_000) } },
    }));
    expect(spell(await store.list(collection, { selector: everything }))).toEqual([]);
  });
});
