import { describe, expect, it } from '@jest/globals';
import { reconcileNamespace } from '../../../../lib/controllers/reconcile/reconcile-namespace.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { NAMESPACES } from '../../../../lib/kubernetes/lifecycle/own-collections.ts';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { Gauge } from '../../../support/gauge.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { NOT_GOING_ON } from '../../../support/watch/not-going-on.ts';

const COLLECTIONS: Collection[] = ['test/cups', 'test/jugs'];
const NAME = { namespace: '', name: 'home' };
const TERMINATING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

/** Reconciliation of a namespace, which tells how long it slept, with how many objects left, and what it hinted at. */
function createEmptying() {
  const { clock, store } = createMemoryStore();
  const hinted: string[] = [];
  const slept: [milliseconds: number, left: number][] = [];
  const gauge = new Gauge();
  const countLeft = async () => {
    const names = COLLECTIONS.map((collection) => store.get(collection, { namespace: 'home', name: 'one' }));
    return (await Promise.all(names)).filter((state) => state !== undefined).length;
  };
  const meanwhile: (() => Promise<unknown>)[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push([milliseconds, await countLeft()]);
    await meanwhile.shift()?.();
    clock.advance(milliseconds);
  };
  const announce = async (collection: Collection, rv: number) => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    hinted.push(`${collection} ${rv}`);
  };
  const counting: typeof store = {
    ...store,
    list: (...request) => gauge.slowly(1, () => store.list(...request)),
  };
  const put = (collection: Collection, name: typeof NAME, body: JsonObject) =>
    store.write(collection, name, () => ({ kind: 'put', body }));
  return {
    hinted,
    slept,
    gauge,
    meanwhile,
    namespace: () => store.get(NAMESPACES, NAME),
    terminate: (metadata: JsonObject = {}, spec: JsonObject = { finalizers: ['kubernetes'] }) =>
      put(NAMESPACES, NAME, { metadata: { ...NAME, uid: 'n', ...TERMINATING, ...metadata }, spec }),
    put: (collection: Collection, metadata: JsonObject = {}) => {
      const name = { namespace: 'home', name: 'one' };
      return put(collection, name, { metadata: { ...name, uid: 'o', ...metadata } });
    },
    remove: (collection: Collection) =>
      store.write(collection, { namespace: 'home', name: 'one' }, (current) => ({
        kind: 'delete',
        body: current?.body ?? {},
      })),
    reconcile: () =>
      reconcileNamespace(
        {
          ...NOT_GOING_ON,
          store: counting,
          hints: { announce, offer: async () => {}, send: async () => {} },
          clock: {
            now: () => clock.now(),
            deadline: (after: number) => clock.deadline(after),
            every: (every: number, look: () => void) => clock.every(every, look),
            sleep,
          },
          logger: silentLogger,
          collections: COLLECTIONS,
        },
        { kind: 'namespace', name: NAME.name },
      ),
  };
}

describe('a Terminating namespace', () => {
  it('is emptied, and once more a grace later, all collections side by side, and goes', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    for (const collection of COLLECTIONS) await emptying.put(collection);
    emptying.meanwhile.push(() => emptying.put('test/cups'));
    await emptying.reconcile();
    expect(emptying.slept).toEqual([[TIMING.grace, 0]]);
    expect(emptying.gauge.most).toBe(2);
    expect(emptying.hinted).toEqual(['test/cups 3', 'test/jugs 3', 'test/cups 5', `${NAMESPACES} 3`]);
    expect(await emptying.namespace()).toBeUndefined();
  });

  it('waits 30 s for what finalizers hold', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    await emptying.put('test/cups', { finalizers: ['example.com/mine'] });
    await emptying.reconcile();
    // It looks until they have gone by, and once more.
    expect(emptying.slept).toEqual([[TIMING.grace, 1], ...Array.from({ length: 61 }, () => [500, 1])]);
    expect(await emptying.namespace()).toBeDefined();

    emptying.slept.length = 0;
    emptying.meanwhile.push(
      async () => {},
      () => emptying.remove('test/cups'),
    );
    await emptying.reconcile();
    expect(emptying.slept).toEqual([
      [TIMING.grace, 1],
      [500, 1],
    ]);
    expect(await emptying.namespace()).toBeUndefined();
  });

  it('that finalizers hold itself gives up its own once', async () => {
    const emptying = createEmptying();
    await emptying.terminate({ finalizers: ['example.com/mine'] });
    await emptying.reconcile();
    await emptying.reconcile();
    expect((await emptying.namespace())?.body.spec).toEqual({});
    expect(emptying.hinted).toEqual([`${NAMESPACES} 3`]);
  });

  it('of a name that another has by now leaves that', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    emptying.meanwhile.push(() => emptying.terminate({ uid: 'another' }));
    await emptying.reconcile();
    expect(await emptying.namespace()).toMatchObject({ uid: 'another' });
    expect(emptying.hinted).toEqual([]);
  });
});
