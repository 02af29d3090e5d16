import { describe, expect, it } from '@jest/globals';
import { definitionsDue } from '../../../../lib/controllers/reconcile/definitions-due.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { CLEANUP_FINALIZER, DEFINITIONS } from '../../../../lib/kubernetes/lifecycle/own-collections.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import { cursorKey, readDeclared, subscriptionKey } from '../../../../lib/store/index.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const COLLECTION: Collection = 'example.com/widgets';
const NAMES = { plural: 'widgets', kind: 'Widget' };
const NAME = { namespace: '', name: 'widgets.example.com' };
const MARKED = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [CLEANUP_FINALIZER] };

/** A table in which `widgets` was declared just now, and the tasks that the schedule finds. */
async function createDeclared() {
  const memory = createMemoryStore();
  const { clock, store, table } = memory;
  const write = (collection: Collection, name: typeof NAME, body: JsonObject) =>
    store.write(collection, name, () => ({ kind: 'put', body }));
  const kind = { apiVersion: 'example.com/v1', kind: 'Widget', namespaced: true, fields: [] };
  await store.declare({ collection: COLLECTION, ...kind, time: clock.now() });
  /** Deletes take a moment: code that does not wait for a delete ends before it. */
  const slow: typeof table = {
    ...table,
    delete: async (...request) => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      return table.delete(...request);
    },
  };
  return {
    ...memory,
    write,
    define: (metadata: JsonObject, acceptedNames: JsonObject = NAMES) =>
      write(DEFINITIONS, NAME, {
        metadata: { ...NAME, uid: 'd', ...metadata },
        spec: { group: 'example.com', names: NAMES },
        status: { acceptedNames },
      }),
    all: async () => definitionsDue({ ...memory, table: slow }, await readDeclared(table)),
    due: async () => (await definitionsDue({ ...memory, table: slow }, await readDeclared(table))).messages,
    isDeclared: async () => (await readDeclared(table)).length > 0,
  };
}

const asked = [{ kind: 'definition', name: NAME.name }];

describe('A definition that is due', () => {
  it('A definition is due while it is being cleaned up', async () => {
    const { define, due } = await createDeclared();
    await define({});
    expect(await due()).toEqual([]);
    await define({ finalizers: [CLEANUP_FINALIZER] });
    expect(await due()).toEqual([]);
    await define({ ...MARKED, finalizers: ['another'] });
    expect(await due()).toEqual([]);
    await define({ deletionTimestamp: MARKED.deletionTimestamp });
    expect(await due()).toEqual([]);
    await define(MARKED);
    expect(await due()).toEqual(asked);
  });

  it.each([
    ['was never given names', { plural: '', kind: '' }],
    ['waits for one', { plural: 'widgets', kind: '' }],
    ['asks for others than it has', { plural: 'widgets', kind: 'Widget', shortNames: ['w'] }],
  ])('A definition is due if it %s', async (_, acceptedNames) => {
    const { define, due } = await createDeclared();
    await define({}, acceptedNames);
    expect(await due()).toEqual(asked);
  });

  it('No definition is due, and nothing is read, if nothing was declared', async () => {
    const { define, store } = await createDeclared();
    await define(MARKED);
    const unread = { ...store, list: () => Promise.reject(new Error('not to be asked')) };
    const options = { ...createMemoryStore(), store: unread };
    expect(await definitionsDue(options, [])).toEqual({ messages: [], isForgetting: false });
  });
});

describe('A kind that is gone', () => {
  async function createOver() {
    const declared = await createDeclared();
    const { clock, store, table, write } = declared;
    await write(COLLECTION, { namespace: 'default', name: 'w' }, { metadata: { uid: 'w' } });
    const head = await store.head(COLLECTION);
    const end = async () => {
      await store.raise(COLLECTION, 'compacted', head);
      await table.update(cursorKey(COLLECTION), { set: { position: head } });
    };
    clock.advance(TIMING.tombstone);
    return { ...declared, head, end };
  }

  it('The schedule has work until a kind is forgotten', async () => {
    const { end, all } = await createOver();
    expect(await all()).toEqual({ messages: [], isForgetting: true });
    await end();
    await all();
    expect(await all()).toEqual({ messages: [], isForgetting: false });
  });

  it('A kind is forgotten when its journal has ended', async () => {
    const { due, end, isDeclared } = await createOver();
    await end();
    expect(await due()).toEqual([]);
    expect(await isDeclared()).toBe(false);
  });

  it('A kind is kept while it is defined, and while it may just be being declared', async () => {
    const { define, due, end, isDeclared } = await createOver();
    await end();
    await define({});
    await due();
    expect(await isDeclared()).toBe(true);

    const early = await createDeclared();
    early.clock.advance(TIMING.tombstone - 1);
    await early.due();
    expect(await early.isDeclared()).toBe(true);
    early.clock.advance(1);
    await early.due();
    expect(await early.isDeclared()).toBe(false);
  });

  it('A kind is kept while its journal is not compacted, or not dispatched', async () => {
    const compacted = await createOver();
    await compacted.store.raise(COLLECTION, 'compacted', compacted.head);
    await compacted.table.update(cursorKey(COLLECTION), { set: { members: 1 } });
    await compacted.due();
    expect(await compacted.isDeclared()).toBe(true);
    const dispatched = await createOver();
    await dispatched.table.update(cursorKey(COLLECTION), { set: { position: dispatched.head } });
    await dispatched.due();
    expect(await dispatched.isDeclared()).toBe(true);
  });

  it('A kind that no Subscription ever selected is forgotten without dispatch', async () => {
    const { store, head, due, isDeclared } = await createOver();
    await store.raise(COLLECTION, 'compacted', head);
    await due();
    expect(await isDeclared()).toBe(false);
  });

  it('A kind is kept while a subscription to it exists, or leftovers of one', async () => {
    const resources = [
      { group: '', resource: 'pods' },
      { group: 'example.com', resource: 'widgets' },
    ];
    const named = await createOver();
    await named.end();
    for (const [at, resource] of resources.entries()) {
      const name = { namespace: 'default', name: `s${at}` };
      await named.write(SUBSCRIPTIONS, name, { metadata: { ...name, uid: name.name }, spec: { resource } });
    }
    await named.due();
    expect(await named.isDeclared()).toBe(true);

    const left = await createOver();
    await left.end();
    await left.table.put({ ...subscriptionKey(COLLECTION, 'u') });
    await left.due();
    expect(await left.isDeclared()).toBe(true);
    await left.table.delete(subscriptionKey(COLLECTION, 'u'));
    const name = { namespace: 'default', name: 's' };
    const spec = { resource: { resource: 'pods' } };
    await left.write(SUBSCRIPTIONS, name, { metadata: { ...name, uid: 's' }, spec });
    await left.due();
    expect(await left.isDeclared()).toBe(false);
  });
});
