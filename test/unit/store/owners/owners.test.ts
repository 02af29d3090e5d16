import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { ObjectState, Table } from '../../../../lib/store/index.ts';
import {
  dependentsOf,
  dueGcTasks,
  endGcTask,
  hasDependents,
  ownerReferencesOf,
} from '../../../../lib/store/index.ts';
import { dependentKey, lookKey } from '../../../../lib/store/keys.ts';
import { askedLooks, ownerItems, planOwners, type Written } from '../../../../lib/store/owners/index.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const UID = 'u';
const reference = (uid: string, more: JsonObject = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: `name-${uid}`,
  uid,
  ...more,
});
const owned = (...ownerReferences: readonly (JsonObject | string)[]): JsonObject => ({
  metadata: { ownerReferences: [...ownerReferences] },
});

describe('the owner references of an object', () => {
  it('are those with a uid, and the first of each uid', () => {
    const body = owned('text', reference('a'), reference(''), reference('b'), {
      ...reference('a'),
      name: 'again',
    });
    const numbered = owned({ ...reference('c'), uid: 5 });
    expect(ownerReferencesOf(body).map(({ uid, name }) => [uid, name])).toEqual([
      ['a', 'name-a'],
      ['b', 'name-b'],
    ]);
    expect(ownerReferencesOf(numbered)).toEqual([]);
    expect(ownerReferencesOf({ metadata: {} })).toEqual([]);
  });
});

describe('the plan of a write', () => {
  function stateWith(trackedOwners: readonly string[] | undefined, ...references: JsonObject[]): ObjectState {
    const name = { namespace: 'default', name: 'a' };
    const state = { name, rv: 1, uid: UID, labels: {}, body: owned(...references) };
    return trackedOwners === undefined ? state : { ...state, trackedOwners };
  }
  const planned = (state: ObjectState | undefined, ...references: JsonObject[]) => {
    const { put, ...plan } = planOwners(state, owned(...references));
    return { ...plan, put: put.map(({ uid }) => uid) };
  };

  it('puts rows for new references', () => {
    const plan = { tracked: ['a'], put: ['a'], gone: [], adds: true };
    expect(planned(undefined, reference('a'))).toEqual(plan);
    expect(planned(stateWith(undefined), reference('a'))).toEqual(plan);
  });

  it('puts no rows for references from before owner rows existed', () => {
    expect(planned(stateWith([], reference('a')), reference('a'))).toEqual({
      tracked: [],
      put: [],
      gone: [],
      adds: false,
    });
  });

  it('keeps existing rows, and puts a row again if its blockOwnerDeletion changes', () => {
    const tracked = stateWith(['a'], reference('a'));
    expect(planned(tracked, reference('a'))).toEqual({ tracked: ['a'], put: [], gone: [], adds: false });
    expect(planned(tracked, reference('a', { blockOwnerDeletion: true }))).toEqual({
      tracked: ['a'],
      put: ['a'],
      gone: [],
      adds: false,
    });
  });

  it('checks an owner whose name or kind changes under the same uid', () => {
    const tracked = stateWith(['a'], reference('a'));
    expect(planned(tracked, reference('a', { name: 'other' })).adds).toBe(true);
    expect(planned(tracked, reference('a', { kind: 'Other' })).adds).toBe(true);
  });

  it('deletes the rows of removed references and of deleted objects', () => {
    const tracked = stateWith(['a', 'b'], reference('a'), reference('b'));
    expect(planned(tracked, reference('b'))).toEqual({ tracked: ['b'], put: [], gone: ['a'], adds: false });
    expect(planOwners(tracked, undefined)).toEqual({
      tracked: [],
      put: [],
      gone: ['a', 'b'],
      adds: false,
    });
  });

  it('puts no row for a uid of more than 128 characters', () => {
    expect(planned(undefined, reference('a'.repeat(128))).tracked).toHaveLength(1);
    expect(planned(undefined, reference('a'.repeat(129))).tracked).toHaveLength(0);
  });

  it('becomes items of the transaction', () => {
    const plan = planOwners(stateWith(['b'], reference('b')), owned(reference('a')));
    expect(ownerItems('core/pods', 'default/a', plan)).toEqual([
      { put: { ...dependentKey('a', 'core/pods', 'default/a'), blocks: false } },
      { delete: dependentKey('b', 'core/pods', 'default/a') },
    ]);
  });
});

describe('the GC tasks that a write requests', () => {
  const NOW = 7;
  const going = (...finalizers: string[]): JsonObject => ({
    metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers },
  });
  const asked = (written: Partial<Written>) =>
    askedLooks(
      {
        before: undefined,
        after: {},
        hasDependents: false,
        addsOwners: false,
        expires: undefined,
        ...written,
      },
      NOW,
    );
  const dependents = [{ what: 'dependents', due: NOW }];

  it('check the dependents of an owner that it marks for foreground deletion', () => {
    expect(asked({ after: going('orphan') })).toEqual(dependents);
    expect(asked({ before: {}, after: going('foregroundDeletion') })).toEqual(dependents);
    expect(asked({ before: going('foregroundDeletion'), after: going('orphan') })).toEqual(dependents);
    expect(asked({ before: going('orphan'), after: going('orphan', 'x') })).toEqual([]);
    expect(asked({ before: going('orphan'), after: going('x') })).toEqual([]);
    expect(asked({ after: { metadata: { finalizers: ['orphan'] } } })).toEqual([]);
  });

  it('check the dependents of an owner that it deletes', () => {
    expect(asked({ before: {}, after: undefined, hasDependents: true })).toEqual(dependents);
    expect(asked({ before: {}, after: undefined })).toEqual([]);
    expect(asked({ before: {}, after: {}, hasDependents: true })).toEqual([]);
  });

  it('check the owners that it adds now, and its expiry at that time', () => {
    expect(asked({ addsOwners: true, expires: 9 })).toEqual([
      { what: 'owners', due: NOW },
      { what: 'expiry', due: 9 },
    ]);
  });
});

describe('GC tasks and dependents', () => {
  /** A table that counts its queries, and takes a moment to delete. */
  function createTable() {
    const table = createMemoryTable();
    const asked = { queries: 0 };
    const counting: Table = {
      ...table,
      query: (request) => {
        asked.queries += 1;
        return table.query(request);
      },
      delete: async (...request) => {
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
        return table.delete(...request);
      },
    };
    return { table: counting, asked };
  }

  it.each([
    [0, 1],
    [199, 1],
    [200, 2],
    [201, 2],
    [401, 3],
  ])('%d dependents are read in %d queries', async (count, queries) => {
    const { table, asked } = createTable();
    for (let at = 0; at < count; at += 1) {
      const name = `default/n${at}`;
      await table.put({ ...dependentKey(UID, 'core/pods', name), blocks: at === 0 });
    }
    const found = [];
    for await (const page of dependentsOf(table, UID)) found.push(...page);
    expect(new Set(found.map(({ name }) => name.name)).size).toBe(count);
    expect(found.filter(({ blocks }) => blocks)).toHaveLength(Math.min(count, 1));
    expect(asked.queries).toBe(queries);
  });

  it('an owner with one dependent has dependents', async () => {
    const { table } = createTable();
    await table.put({ ...dependentKey('another', 'core/pods', 'default/a'), blocks: false });
    expect(await hasDependents(table, UID)).toBe(false);
    await table.put({ ...dependentKey(UID, 'core/pods', 'default/a'), blocks: false });
    expect(await hasDependents(table, UID)).toBe(true);
  });

  it('GC tasks stay until they are done, and only the due ones are read', async () => {
    const { table, asked } = createTable();
    const [key, later] = [5, 9].map((due) =>
      lookKey({ due, what: 'expiry', collection: 'core/pods', rv: 2 }),
    );
    if (key === undefined || later === undefined) throw new Error('no keys');
    for (const { sk } of [key, later]) {
      const look = { what: 'expiry', collection: 'core/pods', name: 'default/a', uid: UID };
      await table.put({ pk: 'looks#0', sk, ...look });
    }
    const [look, ...others] = await dueGcTasks(table, { shard: 0, until: 5, limit: 9 });
    expect([look?.uid, others]).toEqual([UID, []]);
    if (look === undefined) throw new Error('no look');
    expect(await dueGcTasks(table, { shard: 0, until: 9, limit: 9, after: look })).toHaveLength(1);
    asked.queries = 0;
    expect(await dueGcTasks(table, { shard: 0, until: 4, limit: 9, after: look })).toEqual([]);
    // From behind it to before it: the table refuses such a query.
    expect(asked.queries).toBe(0);
    await endGcTask(table, look);
    expect(await table.get(look.key)).toBeUndefined();
  });
});
