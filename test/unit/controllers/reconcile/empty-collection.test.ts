import { describe, expect, it } from '@jest/globals';
import { emptyCollection } from '../../../../lib/controllers/reconcile/empty-collection.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { Gauge } from '../../../support/gauge.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { nameOf } from '../../../support/watch/watch-world.ts';

const COLLECTION: Collection = 'test/things';

/** A collection whose emptying reports the hints and the number of concurrent writes. */
function createThings() {
  const { clock, store } = createMemoryStore();
  const hinted: number[] = [];
  const gauge = new Gauge();
  const announce = async (_: Collection, rv: number) => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    hinted.push(rv);
  };
  const hints = { announce, offer: async () => {}, send: async () => {} };
  const counting: typeof store = {
    ...store,
    write: (...request) => gauge.slowly(1, () => store.write(...request)),
  };
  return {
    store,
    gauge,
    async put(name: string, metadata: JsonObject = {}) {
      const body = { metadata: { ...nameOf(name), uid: name, ...metadata } };
      await store.write(COLLECTION, nameOf(name), () => ({ kind: 'put', body }));
    },
    async empty(namespace?: string, over = new AbortController().signal) {
      hinted.length = 0;
      const options = { store: counting, hints, clock, over };
      const { holders, ...emptied } = await emptyCollection(options, COLLECTION, namespace);
      expect([...holders.values()].every((count) => count === emptied.held)).toBe(true);
      return { ...emptied, hinted: hinted.toSorted((left, right) => left - right) };
    },
  };
}

const finalizers = ['example.com/mine'];

describe('Emptying a collection', () => {
  it('Emptying works for an empty collection', async () => {
    const { empty } = createThings();
    expect(await empty()).toEqual({ held: 0, found: 0, rv: 1, isCut: false, hinted: [] });
  });

  it('Emptying deletes objects without finalizers, four at a time, and hints each', async () => {
    const { gauge, empty, put } = createThings();
    for (let at = 0; at < 6; at += 1) await put(`default/n${at}`);
    expect(await empty()).toEqual({ held: 0, found: 6, rv: 7, isCut: false, hinted: [8, 9, 10, 11, 12, 13] });
    expect(gauge.most).toBe(4);
  });

  it('Emptying keeps objects with finalizers, and marks and hints them at once', async () => {
    const { empty, put } = createThings();
    await put('default/held', { finalizers });
    await put('default/free');
    expect(await empty()).toEqual({ held: 1, found: 2, rv: 3, isCut: false, hinted: [4, 5] });
    expect(await empty()).toEqual({ held: 1, found: 1, rv: 5, isCut: false, hinted: [] });
  });

  it('Emptying finishes the deletes that it began, and at least one round, when the time is over', async () => {
    const { empty, put } = createThings();
    for (let at = 0; at < 6; at += 1) await put(`default/n${at}`);
    await put('default/other', { finalizers });
    const over = AbortSignal.abort();
    expect(await empty(undefined, over)).toMatchObject({ isCut: true, hinted: [9, 10, 11, 12] });
    expect(await empty(undefined, over)).toMatchObject({ isCut: false, hinted: [13, 14, 15] });
    // Held objects were marked: nothing is left to do.
    expect(await empty(undefined, over)).toMatchObject({ held: 1, isCut: false, hinted: [] });
  });

  it('Emptying writes nothing for objects that are already marked and held', async () => {
    const { empty, gauge, put } = createThings();
    await put('default/held', { finalizers });
    await empty();
    gauge.most = 0;
    expect(await empty()).toMatchObject({ held: 1 });
    expect(gauge.most).toBe(0);
  });

  it('Emptying may be limited to one namespace', async () => {
    const { empty, put, store } = createThings();
    await put('default/a');
    await put('other/a');
    expect(await empty('other')).toMatchObject({ held: 0, found: 1 });
    expect(await store.get(COLLECTION, nameOf('default/a'))).toBeDefined();
  });

  it('Emptying keeps a new object that has the name of one that was found', async () => {
    const { empty, put, store } = createThings();
    await put('default/a');
    const { write } = store;
    const again: typeof store.write = async (...request) => {
      store.write = write;
      await write(COLLECTION, nameOf('default/a'), () => ({
        kind: 'put',
        body: { metadata: { ...nameOf('default/a'), uid: 'another' } },
      }));
      return write(...request);
    };
    store.write = again;
    await empty();
    expect(await store.get(COLLECTION, nameOf('default/a'))).toMatchObject({ uid: 'another' });
  });
});
