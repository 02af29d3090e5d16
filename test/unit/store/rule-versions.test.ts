import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../lib/platform/index.ts';
import {
  createStore,
  forgetRuleVersions,
  RULE_COLLECTIONS,
  RULES_SCHEMA,
  type Store,
} from '../../../lib/store/index.ts';
import { besideTable } from '../../../lib/store/tables/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, thing } from '../../support/store/store-fixture.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const [WEBHOOKS = 'core/none', POLICIES = 'core/none'] = RULE_COLLECTIONS;
const ROW = { pk: 'access#versions', sk: 'versions' };
let table: FaultyTable;
let schema: number;
let store: Store;
/** Each read of the table, as the partition keys that it asked for. */
let reads: string[][];

beforeEach(() => {
  schema = RULES_SCHEMA;
  table = Object.assign(createFaultyTable(createMemoryTable()), { rowSchema: () => schema });
  store = createStore({ table, clock: createVirtualClock(), random: seeded(1), logger: silentLogger });
  reads = [];
  table.faults.get = async (next, ...request) => {
    reads.push([request[0].pk]);
    return next(...request);
  };
  table.faults.batchGet = async (next, ...request) => {
    reads.push(request[0].map(({ pk }) => pk));
    return next(...request);
  };
});

const put = (collection: `${string}/${string}`, name: string) =>
  store.write(collection, named(name), () => ({ kind: 'put', body: thing(name, {}) }));
const remove = (collection: `${string}/${string}`, name: string) =>
  store.write(collection, named(name), (current) => ({ kind: 'delete', body: current?.body ?? {} }));
const written = async () => [...((await store.ruleVersions()) ?? [])].filter(([, version]) => version > 0);

describe('the versions of admission rules', () => {
  it('name the last write of each collection of rules, its deletes included', async () => {
    expect(await written()).toEqual([]);
    await put(POLICIES, 'a');
    expect(await written()).toEqual([[POLICIES, 2]]);
    await put(WEBHOOKS, 'a');
    await remove(POLICIES, 'a');
    expect(await written()).toEqual([
      [WEBHOOKS, 2],
      [POLICIES, 3],
    ]);
    await put('core/pods', 'a');
    expect([...((await store.ruleVersions())?.keys() ?? [])]).toEqual(
      expect.arrayContaining([...RULE_COLLECTIONS]),
    );
    expect(await written()).toHaveLength(2);
  });

  it('are undefined below the row schema version of rules, though writes name themselves', async () => {
    schema = RULES_SCHEMA - 1;
    await put(POLICIES, 'a');
    expect(await store.ruleVersions()).toBe(undefined);
    schema = RULES_SCHEMA;
    expect(await written()).toEqual([[POLICIES, 2]]);
  });

  it('name what an older release wrote, and are then read in one request', async () => {
    await put(POLICIES, 'a');
    await put(POLICIES, 'b');
    await table.update(ROW, { remove: RULE_COLLECTIONS.map((one) => one.split('/')[1] ?? '') });
    expect(await written()).toEqual([[POLICIES, 3]]);
    reads = [];
    expect(await written()).toEqual([[POLICIES, 3]]);
    expect(reads).toEqual([[ROW.pk]]);
  });

  it('are the heads of the collections again after a restore', async () => {
    await put(POLICIES, 'a');
    await store.ruleVersions();
    await table.update({ pk: `head#${POLICIES}`, sk: 'head' }, { set: { rv: 900 } });
    await forgetRuleVersions(table);
    expect(await written()).toEqual([[POLICIES, 900]]);
    await put(POLICIES, 'b');
    expect(await written()).toEqual([[POLICIES, 901]]);
  });

  it('are known although another transaction holds the row when they are to be named', async () => {
    await put(POLICIES, 'a');
    await table.update(ROW, { remove: ['validatingadmissionpolicies'] });
    table.faults.update = async () => ({ outcome: 'busy' });
    expect(await written()).toEqual([[POLICIES, 2]]);
  });

  it('are those that the caller has read already, if it passes them', async () => {
    await put(POLICIES, 'a');
    await store.ruleVersions();
    const versions = await store.accessVersions();
    await put(POLICIES, 'b');
    reads = [];
    expect((await store.ruleVersions(versions))?.get(POLICIES)).toBe(2);
    expect(reads).toEqual([]);
  });

  it('are read beside the first read of a request, and cost no request', async () => {
    await put(POLICIES, 'a');
    await put('core/pods', 'a');
    await store.ruleVersions();
    const own = store.within(new AbortController().signal, undefined, { rules: true });
    reads = [];
    let told: unknown;
    await own.write('core/pods', named('a'), async () => {
      told = (await own.ruleVersions())?.get(POLICIES);
      return { kind: 'none' };
    });
    expect(told).toBe(2);
    expect(reads).toEqual([[expect.stringMatching(/^object#core\/pods/), ROW.pk]]);
  });
});

describe('a table with a row beside its first read', () => {
  const KEY = { pk: 'object#core/pods', sk: 'a' };

  it('reads the row by itself if nothing else was read', async () => {
    await table.put({ ...ROW, roles: 7 });
    expect(await besideTable(table, ROW).beside()).toMatchObject({ roles: 7 });
    expect(reads).toEqual([[ROW.pk]]);
  });

  it('leaves the row out of the rows of its caller, and passes later reads on as they are', async () => {
    await table.put({ ...ROW, roles: 7 });
    await table.put({ ...KEY, rv: 1 });
    const beside = besideTable(table, ROW);
    expect(await beside.batchGet([KEY])).toEqual([{ ...KEY, rv: 1 }]);
    expect(await beside.get(KEY)).toEqual({ ...KEY, rv: 1 });
    expect(reads).toEqual([[KEY.pk, ROW.pk], [KEY.pk]]);
    expect(await beside.beside()).toMatchObject({ roles: 7 });
    expect(reads.length).toBe(2);
  });

  it('returns the row to a caller that asks for it', async () => {
    await table.put({ ...ROW, roles: 7 });
    expect(await besideTable(table, ROW).get(ROW)).toMatchObject({ roles: 7 });
    expect(reads).toEqual([[ROW.pk]]);
  });

  it('reads the row anew after the read beside it failed', async () => {
    await table.put({ ...ROW, roles: 7 });
    const beside = besideTable(table, ROW);
    table.faults.batchGet = async () => {
      throw new Error('lost');
    };
    await expect(beside.get(KEY)).rejects.toThrow('lost');
    expect(await beside.beside()).toMatchObject({ roles: 7 });
  });
});
