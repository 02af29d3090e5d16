import { expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '../../../../lib/platform/index.ts';
import {
  createStore,
  KNOWN_SCHEMAS,
  RowSchema,
  RULE_COLLECTIONS,
  RULES_SCHEMA,
  raiseSchema,
  schemaTable,
} from '../../../../lib/store/index.ts';
import { accessKey, schemaKey } from '../../../../lib/store/keys.ts';
import { AccessApi } from '../../../support/service/access-api.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { createMemoryApi } from '../../../support/service/memory-api.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { seeded } from '../../../support/watch/memory-world.ts';
import { BINDINGS, bindingOf, configMap, POLICIES, policyOf } from './support.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

it('Policies of an older release count from the raise of the row schema on, for every caller', async () => {
  let now = Date.now();
  const clock = { ...systemClock, now: () => now };
  const memory = createMemoryTable();
  await memory.put({ ...schemaKey, version: RULES_SCHEMA - 1, from: 0 });
  const table = schemaTable(memory, new RowSchema({ clock }));
  const store = createStore({ table, clock, random: seeded(1), logger: silentLogger });
  const api = await createMemoryApi(1, undefined, { store });
  const ask = api.send;
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  await ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'maps' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }],
  });
  await ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'jane' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maps' },
    subjects: [{ kind: 'User', name: 'jane' }],
  });
  const jane = api.as({ username: 'jane', groups: ['system:authenticated'] }).send;
  await ask('POST', POLICIES, policyOf('p', { resources: ['configmaps'] }, 'false'));
  await ask('POST', BINDINGS, bindingOf('p'));
  // An older release does not name its writes in the row.
  await memory.update(accessKey, { remove: RULE_COLLECTIONS.map((one) => one.split('/')[1] ?? '') });

  expect((await ask('POST', MAPS, configMap('a'))).status).toBe(201);
  const { from } = await raiseSchema({ table: memory, clock, known: KNOWN_SCHEMAS });
  expect(from).toBeGreaterThan(now);
  now = from - 1;
  expect((await jane('POST', MAPS, configMap('b'))).status).toBe(201);
  now = from;
  expect((await jane('POST', MAPS, configMap('c'))).status).toBe(422);
  expect((await ask('POST', MAPS, configMap('d'))).status).toBe(422);
  const row = await memory.get(accessKey);
  expect(RULE_COLLECTIONS.map((one) => row?.[one.split('/')[1] ?? ''])).toEqual([0, 0, 0, 2, 2, 0]);
});

it('A new policy warns that it has no effect before the raise', async () => {
  const memory = createMemoryTable();
  await memory.put({ ...schemaKey, version: RULES_SCHEMA - 1, from: 0 });
  const api = await AccessApi.create(memory);
  const create = async (name: string) => {
    const body = policyOf(name, { resources: ['configmaps'] }, 'false');
    const asked = { method: 'POST', target: POLICIES, body };
    return (await api.during(api.send({ user: ADMIN }, asked))).headers.warning;
  };
  expect(await create('p')).toContain('this object has no effect yet');
  await memory.put({ ...schemaKey, version: RULES_SCHEMA, from: 0 });
  expect(await create('q')).toBe(undefined);
});
