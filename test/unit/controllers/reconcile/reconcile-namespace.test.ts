import { describe, expect, it } from '@jest/globals';
import { reconcileNamespace } from '../../../../lib/controllers/reconcile/reconcile-namespace.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { NAMESPACES } from '../../../../lib/kubernetes/lifecycle/own-collections.ts';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { Gauge } from '../../../support/gauge.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { NOT_GOING_ON } from '../../../support/watch/not-going-on.ts';

const COLLECTIONS: Collection[] = ['test/cups', 'test/jugs'];
const PODS: Collection = 'core/pods';
const NAME = { namespace: '', name: 'home' };
const TERMINATING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

/** Reconciliation of a namespace; reports how long it slept, with how many objects left, and the hints it sent. */
function createEmptying() {
  const { clock, store } = createMemoryStore();
  const hinted: string[] = [];
  const listed: Collection[] = [];
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
    list: (...request) => {
      listed.push(request[0]);
      return gauge.slowly(1, () => store.list(...request));
    },
  };
  const put = (collection: Collection, name: typeof NAME, body: JsonObject) =>
    store.write(collection, name, () => ({ kind: 'put', body }));
  return {
    hinted,
    listed,
    exists: async (collection: Collection) =>
      (await store.get(collection, { namespace: 'home', name: 'one' })) !== undefined,
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
    putNamed: (name: string, metadata: JsonObject) =>
      put(
        'test/cups',
        { namespace: 'home', name },
        { metadata: { namespace: 'home', name, uid: name, ...metadata } },
      ),
    removeNamed: (name: string) =>
      store.write('test/cups', { namespace: 'home', name }, (current) => ({
        kind: 'delete',
        body: current?.body ?? {},
      })),
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
          collections: [...COLLECTIONS, PODS],
        },
        { kind: 'namespace', name: NAME.name },
      ),
  };
}

describe('Reconciliation of a Terminating namespace', () => {
  it('All collections are emptied concurrently, and again one grace later; then the namespace is deleted', async () => {
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

  it('Reconcile waits 5 s for an object that a finalizer holds, and reads only its collection', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    await emptying.put('test/cups', { finalizers: ['example.com/mine'] });
    await emptying.reconcile();
    const pauses = Array.from({ length: 10 }, () => [500, 1]);
    expect(emptying.slept).toEqual([[TIMING.grace, 1], ...pauses]);
    // All collections before and after the grace, then one of them after each pause.
    const all = [PODS, ...COLLECTIONS];
    expect(emptying.listed).toEqual([...all, ...all, ...pauses.map(() => 'test/cups')]);
    expect(await emptying.namespace()).toBeDefined();
  });

  it('Reconcile continues to wait for up to 30 s while finalizers release objects', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    const names = Array.from({ length: 9 }, (_, at) => `cup-${at}`);
    for (const name of names) await emptying.putNamed(name, { finalizers: ['example.com/mine'] });
    emptying.meanwhile.push(async () => {});
    for (const name of names) {
      const releases = () => emptying.removeNamed(name);
      emptying.meanwhile.push(...Array.from({ length: 8 }, () => async () => {}), releases);
    }
    await emptying.reconcile();
    expect(emptying.slept.length).toBe(61);
    expect(await emptying.namespace()).toBeDefined();
  });

  it('The namespace is deleted with the last object that a finalizer released', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    await emptying.put('test/cups', { finalizers: ['example.com/mine'] });
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

  it('A namespace that finalizers hold loses Winnow’s finalizer once', async () => {
    const emptying = createEmptying();
    await emptying.terminate({ finalizers: ['example.com/mine'] });
    await emptying.reconcile();
    await emptying.reconcile();
    expect((await emptying.namespace())?.body.spec).toEqual({});
    expect(emptying.hinted).toEqual([`${NAMESPACES} 3`]);
  });

  it('A new namespace of the same name stays unchanged', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    emptying.meanwhile.push(() => emptying.terminate({ uid: 'another' }));
    await emptying.reconcile();
    expect(await emptying.namespace()).toMatchObject({ uid: 'another' });
    expect(emptying.hinted).toEqual([]);
  });

  it('loses its other objects only when no pod is left', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    await emptying.put(PODS, { finalizers: ['example.com/mine'] });
    await emptying.put('test/cups');
    await emptying.reconcile();
    expect(await emptying.exists('test/cups')).toBe(true);
    expect(emptying.listed).not.toContain('test/cups');
    await emptying.remove(PODS);
    await emptying.reconcile();
    expect(await emptying.exists('test/cups')).toBe(false);
    expect(await emptying.namespace()).toBeUndefined();
  });

  it('says in its conditions which objects and which finalizers are left', async () => {
    const emptying = createEmptying();
    await emptying.terminate();
    await emptying.put(PODS, { finalizers: ['example.com/mine'] });
    await emptying.reconcile();
    const { conditions } = Object((await emptying.namespace())?.body.status);
    expect(conditions.map(({ type, status }: JsonObject) => [type, status])).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False'],
      ['NamespaceDeletionContentFailure', 'False'],
      ['NamespaceContentRemaining', 'True'],
      ['NamespaceFinalizersRemaining', 'True'],
    ]);
    expect(conditions[3].message).toBe('Some resources are remaining: pods. has 1 resource instances');
    expect(conditions[4].message).toBe(
      'Some content in the namespace has finalizers remaining: example.com/mine in 1 resource instances',
    );
    const { rv } = Object(await emptying.namespace());
    await emptying.reconcile();
    expect(await emptying.namespace()).toMatchObject({ rv });
  });
});
