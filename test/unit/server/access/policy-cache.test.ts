import { expect, it } from '@jest/globals';
import { collectionOf, type JsonObject } from '../../../../lib/json/index.ts';
import { authorize } from '../../../../lib/kubernetes/rbac/index.ts';
import {
  systemClock as clock,
  systemRandom as random,
  silentLogger,
} from '../../../../lib/platform/index.ts';
import { PolicyCache } from '../../../../lib/server/policies/policy-cache.ts';
import { createStore, type Store } from '../../../../lib/store/index.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';

const rbac = (resource: string) => collectionOf('rbac.authorization.k8s.io', resource);
const ROLES = rbac('clusterroles');
const BINDINGS = rbac('clusterrolebindings');
const JANE = { name: 'jane', groups: [] };
const SECRETS = { verb: 'list', apiGroup: '', resource: 'secrets', subresource: '', namespace: '', name: '' };

function policyStore() {
  const store = createStore({ table: createMemoryTable(), clock, random, logger: silentLogger });
  const put = (collection: typeof ROLES, name: string, more: JsonObject) => {
    const body = { metadata: { name, namespace: '' }, ...more };
    return store.write(collection, { namespace: '', name }, () => ({ kind: 'put', body }));
  };
  return {
    store,
    allow: (resource: string) =>
      put(ROLES, 'reader', { rules: [{ verbs: ['list'], apiGroups: [''], resources: [resource] }] }),
    bind: (names: readonly string[]) =>
      put(BINDINGS, 'readers', {
        roleRef: { kind: 'ClusterRole', name: 'reader' },
        subjects: names.map((name) => ({ kind: 'User', name })),
      }),
  };
}

it('The policy cache gives no request a mixture of LISTs, whatever row it has read', async () => {
  const { store, allow, bind } = policyStore();
  await bind(['jane']);
  await allow('pods');
  const bindingsListed = Promise.withResolvers<void>();
  const changed = Promise.withResolvers<void>();
  const allListed = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let rows = 0;
  const slow: Store = {
    ...store,
    list: async (collection, request) => {
      if (collection === ROLES) await changed.promise;
      const page = await store.list(collection, request);
      if (collection === BINDINGS) bindingsListed.resolve();
      return page;
    },
    // The first row is read for a list, the next when that list is there.
    accessVersions: async () => {
      rows += 1;
      if (rows === 2) {
        allListed.resolve();
        await ended.promise;
      }
      return store.accessVersions();
    },
  };
  const early = await store.accessVersions();
  const cache = new PolicyCache();
  const listing = cache.current(slow);

  await bindingsListed.promise;
  await bind([]);
  await allow('secrets');
  changed.resolve();
  await allListed.promise;
  // A request that read the row before all of that, and gets the answer only now.
  let overtaken = false;
  const late: Store = {
    ...store,
    accessVersions: async () => {
      const row = overtaken ? await store.accessVersions() : early;
      overtaken = true;
      return row;
    },
  };
  const { policy } = await cache.current(late);
  expect(authorize(policy, JANE, SECRETS).allowed).toBe(false);

  ended.resolve();
  expect(authorize((await listing).policy, JANE, SECRETS).allowed).toBe(false);
});

it('The policy cache gives each request the secret of the row that it read', async () => {
  const { store, bind } = policyStore();
  await bind([]);
  const cache = new PolicyCache();
  await cache.current(store);
  const row = await store.accessVersions();
  const says = (secret: string): Store => ({
    ...store,
    accessVersions: async () => Object.assign(new Map(row), { secret }),
  });
  const [older, newer] = await Promise.all([cache.current(says('older')), cache.current(says('newer'))]);
  expect([older.row.secret, newer.row.secret]).toEqual(['older', 'newer']);
});
