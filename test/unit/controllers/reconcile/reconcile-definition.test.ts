import { describe, expect, it } from '@jest/globals';
import { reconcileDefinition } from '../../../../lib/controllers/reconcile/reconcile-definition.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { CLEANUP_FINALIZER, DEFINITIONS } from '../../../../lib/kubernetes/lifecycle/own-collections.ts';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import { cursorKey } from '../../../../lib/store/index.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { NOT_GOING_ON } from '../../../support/watch/not-going-on.ts';

const COLLECTION: Collection = 'example.com/widgets';
const NAME = { namespace: '', name: 'widgets.example.com' };
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [CLEANUP_FINALIZER] };
const LOOK = TIMING.definitionLook + TIMING.grace;

/** Reconciliation of a definition; reports how long it slept, with how many objects left, and the messages it sent. */
function createCleaning() {
  const memory = createMemoryStore();
  const { clock, store, table } = memory;
  const told: string[] = [];
  const slept: [milliseconds: number, left: number][] = [];
  const left = async () =>
    (await table.query({ partition: `object#${COLLECTION}`, from: '!', to: '~' })).rows;
  /** What happens during its next sleeps. */
  const meanwhile: (() => Promise<unknown>)[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push([milliseconds, (await left()).length]);
    await meanwhile.shift()?.();
    clock.advance(milliseconds);
  };
  // Each delete is faster than the previous one: code that does not wait for a delete overtakes it.
  let slowness = 100;
  const slowly = async (work: () => unknown) => {
    slowness -= 5;
    for (let turn = slowness; turn > 0; turn -= 1) await new Promise(setImmediate);
    await work();
  };
  const hints = {
    announce: (collection: Collection, rv: number) => slowly(() => told.push(`${collection} ${rv}`)),
    offer: async () => {},
    send: async () => {},
  };
  const raising: typeof store = {
    ...store,
    raise: (collection, mark, value) =>
      slowly(async () => {
        const isThere = (await store.get(DEFINITIONS, NAME)) !== undefined;
        told.push(`${mark} ${value}${isThere ? '' : ' too late'}`);
        await store.raise(collection, mark, value);
      }),
  };
  const options = {
    ...NOT_GOING_ON,
    table,
    hints,
    logger: silentLogger,
    store: raising,
    clock: {
      now: () => clock.now(),
      deadline: (after: number) => clock.deadline(after),
      every: (every: number, look: () => void) => clock.every(every, look),
      sleep,
    },
    definitions: {
      settleNames: () => slowly(() => told.push('settles names')),
      tellDeletion: () => slowly(async () => told.push(`tells of ${(await left()).length} left`)),
    },
  };
  const write = (collection: Collection, name: typeof NAME, body: JsonObject) =>
    store.write(collection, name, () => ({ kind: 'put', body }));
  return {
    store,
    told,
    slept,
    meanwhile,
    define: (metadata: JsonObject) =>
      write(DEFINITIONS, NAME, {
        metadata: { ...NAME, uid: 'd', ...metadata },
        spec: { group: 'example.com', names: { plural: 'widgets' } },
      }),
    put: (name: string, metadata: JsonObject = {}) => {
      const named = { namespace: 'default', name };
      return write(COLLECTION, named, { metadata: { ...named, uid: name, ...metadata } });
    },
    /** Dispatch has delivered everything. */
    dispatch: async () =>
      table.update(cursorKey(COLLECTION), { set: { position: await store.head(COLLECTION) } }),
    /** A Subscription has selected the kind. */
    follow: () => table.update(cursorKey(COLLECTION), { set: { members: 1, seen: 1 } }),
    definition: () => store.get(DEFINITIONS, NAME),
    reconcile: () => reconcileDefinition(options, { kind: 'definition', name: NAME.name }),
  };
}

describe('Reconciliation of a definition', () => {
  it('A definition that exists, or is missing, only frees names', async () => {
    const cleaning = createCleaning();
    await cleaning.reconcile();
    await cleaning.define({ finalizers: [CLEANUP_FINALIZER] });
    await cleaning.reconcile();
    expect(cleaning.told).toEqual(['settles names', 'settles names']);
    expect(await cleaning.definition()).toBeDefined();
  });

  it('A deleted definition goes at once if no object of its kind was ever written', async () => {
    const cleaning = createCleaning();
    await cleaning.define(GOING);
    await cleaning.reconcile();
    expect(cleaning.slept).toEqual([[LOOK, 0]]);
    expect(cleaning.told).toEqual([
      'tells of 0 left',
      'settled 1',
      'compacted 1',
      `${DEFINITIONS} 3`,
      'settles names',
    ]);
    expect(await cleaning.definition()).toBeUndefined();
  });

  it('A deleted definition waits for its objects and for dispatch, then compacts the journal before it goes', async () => {
    const cleaning = createCleaning();
    await cleaning.define(GOING);
    await cleaning.follow();
    await cleaning.put('a');
    cleaning.meanwhile.push(
      () => cleaning.put('late'),
      async () => {},
      cleaning.dispatch,
    );
    await cleaning.reconcile();
    expect(cleaning.told[0]).toBe('tells of 1 left');
    expect(cleaning.slept).toEqual([
      [LOOK, 0],
      [500, 0],
      [500, 0],
    ]);
    expect(cleaning.told.slice(-4)).toEqual([
      'settled 5',
      'compacted 5',
      `${DEFINITIONS} 3`,
      'settles names',
    ]);
    expect(await cleaning.definition()).toBeUndefined();
  });

  it('A deleted definition stays, and frees nothing, while an object is held', async () => {
    const cleaning = createCleaning();
    await cleaning.define(GOING);
    await cleaning.put('held', { finalizers: ['example.com/mine'] });
    cleaning.meanwhile.push(cleaning.dispatch);
    await cleaning.reconcile();
    // It gives up after 5 s in which no object of the kind was deleted.
    expect(cleaning.slept).toEqual([[LOOK, 1], ...Array.from({ length: 10 }, () => [500, 1])]);
    expect(cleaning.told).toEqual(['tells of 1 left', `${COLLECTION} 3`]);
    expect(await cleaning.definition()).toBeDefined();
  });

  it('A deleted definition with another finalizer loses only Winnow’s finalizer', async () => {
    const cleaning = createCleaning();
    await cleaning.define({ ...GOING, finalizers: ['example.com/mine', CLEANUP_FINALIZER] });
    await cleaning.reconcile();
    expect((await cleaning.definition())?.body.metadata).toMatchObject({ finalizers: ['example.com/mine'] });
    expect(cleaning.told).toContain(`${DEFINITIONS} 3`);
  });

  it('A new definition of the same name stays unchanged', async () => {
    const cleaning = createCleaning();
    await cleaning.define(GOING);
    cleaning.meanwhile.push(() => cleaning.define({ uid: 'another' }));
    await cleaning.reconcile();
    expect(await cleaning.definition()).toMatchObject({ uid: 'another', rv: 3 });
    expect(cleaning.told).toEqual(['tells of 0 left', 'settled 1', 'compacted 1', 'settles names']);
  });
});
