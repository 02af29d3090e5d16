import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../lib/platform/index.ts';
import { ACCESS_COLLECTIONS, createStore, type Store } from '../../../lib/store/index.ts';
import { createVirtualClock } from '../../support/clocks/virtual-clock.ts';
import { createFaultyTable, type FaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { named, thing } from '../../support/store/store-fixture.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const ROLES = 'rbac.authorization.k8s.io/roles';
let table: FaultyTable;
let store: Store;

beforeEach(() => {
  table = createFaultyTable(createMemoryTable());
  store = createStore({ table, clock: createVirtualClock(), random: seeded(1), logger: silentLogger });
});

const put = (collection: `${string}/${string}`, name: string) =>
  store.write(collection, named(name), () => ({ kind: 'put', body: thing(name, {}) }));
const remove = (name: string) =>
  store.write(ROLES, named(name), (current) => ({ kind: 'delete', body: current?.body ?? {} }));

/** What the row names, of what was written. */
const versions = async () =>
  Object.fromEntries([...(await store.accessVersions())].filter(([, version]) => version > 0));

describe('the access version row', () => {
  it('names the last write of each collection that decides access, of any kind, and of no other collection', async () => {
    expect([...(await store.accessVersions()).keys()]).toEqual(ACCESS_COLLECTIONS);
    await put('core/pods', 'a');
    expect(await versions()).toEqual({});
    for (const collection of ACCESS_COLLECTIONS) await put(collection, 'a');
    expect(await versions()).toEqual(Object.fromEntries(ACCESS_COLLECTIONS.map((one) => [one, 2])));
    await remove('a');
    expect(await versions()).toMatchObject({ [ROLES]: 3, 'winnow.dev/accessentries': 2 });
  });

  it('gets a new secret from each write of a grant', async () => {
    const secret = async () => (await store.accessVersions()).secret;
    await put(ROLES, 'a');
    expect(await secret()).toBe(undefined);
    const secrets: (string | undefined)[] = [];
    for (const collection of ['winnow.dev/accessgrants', 'winnow.dev/clusteraccessgrants'] as const) {
      await put(collection, 'a');
      secrets.push(await secret());
    }
    await put(ROLES, 'b');
    expect([...new Set([...secrets, await secret()])]).toEqual(secrets);
    expect(secrets.every((one) => Number(one?.length) > 60)).toBe(true);
  });

  it('is read in one request', async () => {
    await put(ROLES, 'a');
    let reads = 0;
    table.faults.get = async (next, ...request) => {
      reads += 1;
      return next(...request);
    };
    await store.accessVersions();
    expect(reads).toBe(1);
  });

  it('names a write only if the write committed', async () => {
    await put(ROLES, 'a');
    table.faults.transact = async () => ({ outcome: 'unknown' });
    await expect(put(ROLES, 'b')).rejects.toThrow();
    delete table.faults.transact;
    expect(await versions()).toEqual({ [ROLES]: 2 });
  });

  it('never goes back: a writer that commits late with a lower resourceVersion retries with a higher one', async () => {
    let others = 0;
    table.faults.transact = async (next, ...request) => {
      others += 1;
      if (others === 1) await put(ROLES, 'faster');
      return next(...request);
    };
    const { after } = await put(ROLES, 'slower');
    expect(after?.rv).toBe(4);
    expect(await versions()).toEqual({ [ROLES]: 4 });
    expect((await store.get(ROLES, named('faster')))?.rv).toBe(3);
  });
});
