import { beforeEach, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { resourceTypesOf } from '../../../../lib/kubernetes/schemas/index.ts';
import { refusedObjects } from '../../../../lib/server/registry/refused-objects.ts';
import type { ListPage, Store } from '../../../../lib/store/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DOORS = '/apis/fleet.example/v1/namespaces/default/doors';
const definition = (model: JsonObject) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'doors.fleet.example' },
  spec: {
    group: 'fleet.example',
    scope: 'Namespaced',
    names: { plural: 'doors', singular: 'door', kind: 'Door' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { model } } },
          },
        },
      },
    ],
  },
});

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
  await api.ask('POST', DEFINITION, definition({ type: 'string' }));
});

const door = (name: string, model: string) =>
  api.ask('POST', DOORS, {
    apiVersion: 'fleet.example/v1',
    kind: 'Door',
    metadata: { name },
    spec: { model },
  });
const rehearse = async (model: JsonObject, user: Pick<MemoryApi, 'send'> = api) => {
  const change = { spec: { versions: definition(model).spec.versions } };
  const path = `${DEFINITION}/doors.fleet.example?dryRun=All`;
  const { status, headers } = await user.send('PATCH', path, change, 'application/merge-patch+json');
  expect(status).toBe(200);
  return headers.warning ?? '';
};

it('A dry run of a narrower schema names the stored objects that it would refuse', async () => {
  await door('a', 'short');
  await door('b', 'much longer');
  await door('c', 'also too long');
  const warning = await rehearse({ type: 'string', maxLength: 5 });
  expect(warning).toBe(
    [
      '299 - "the new schema would refuse 2 of 3 stored doors"',
      '299 - "the new schema would refuse default/b: spec.model"',
      '299 - "the new schema would refuse default/c: spec.model"',
    ].join(', '),
  );
  // The dry run changed nothing.
  await door('d', 'longer than five');
});

it('A dry run names no object that the present schema refuses too, and none if the schema is the same', async () => {
  await door('a', 'much longer');
  const path = `${DEFINITION}/doors.fleet.example`;
  const narrow = { spec: { versions: definition({ type: 'string', maxLength: 5 }).spec.versions } };
  await api.ask('PATCH', path, narrow, 'application/merge-patch+json');
  expect(await rehearse({ type: 'string', maxLength: 5 })).toBe('');
  expect(await rehearse({ type: 'string', maxLength: 4 })).toBe('');
  expect(await rehearse({ type: 'string' })).toBe('');
});

it('A dry run names ten objects at most, and counts the others', async () => {
  for (let index = 0; index < 12; index++) await door(`door-${index}`, 'much longer');
  const warnings = (await rehearse({ type: 'string', maxLength: 5 })).split(', 299');
  expect(warnings[0]).toContain('would refuse 12 of 12 stored doors');
  expect(warnings).toHaveLength(11);
});

it('A caller who may not list the objects learns their number, and no names', async () => {
  await door('a', 'much longer');
  const roles = '/apis/rbac.authorization.k8s.io/v1';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const rules = [
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      verbs: ['patch', 'get'],
    },
  ];
  await api.ask('POST', `${roles}/clusterroles`, {
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name: 'definer' },
    rules,
  });
  await api.ask('POST', `${roles}/clusterrolebindings`, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'definer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'definer' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
  });
  const ann = api.as({ username: 'ann', uid: 'ann', groups: ['system:authenticated'] } as never);
  expect(await rehearse({ type: 'string', maxLength: 5 }, ann)).toBe(
    '299 - "the new schema would refuse 1 of 1 stored doors"',
  );
});

it('A dry run checks ten thousand objects at most, and for ten seconds at most', async () => {
  const established = async (model: JsonObject) => {
    await api.ask('PUT', `${DEFINITION}/doors.fleet.example`, {
      ...definition(model),
      metadata: await metadata(),
    });
    return api.ask('GET', `${DEFINITION}/doors.fleet.example`);
  };
  const metadata = async () =>
    (await api.ask('GET', `${DEFINITION}/doors.fleet.example`)).metadata as JsonObject;
  const now = resourceTypesOf(await established({ type: 'string' }));
  const next = await established({ type: 'string', maxLength: 5 });
  let time = 0;
  const endless = (perPage: number): Pick<Store, 'list'> => ({
    list: async (_collection, { after }) => {
      time += perPage;
      const first = Number(after?.name ?? 0);
      const items = Array.from({ length: 500 }, (_, index) => ({
        name: { namespace: 'default', name: `${first + index + 1}` },
        body: { apiVersion: 'fleet.example/v1', kind: 'Door', metadata: {}, spec: { model: 'much longer' } },
      }));
      return { rv: 1, items, next: items.at(-1)?.name } as unknown as ListPage;
    },
  });
  const check = (perPage: number) => {
    const known = { types: now, find: () => now[0] };
    const store = endless(perPage) as Store;
    const clock = { ...api.memory.clock, now: () => time } as typeof api.memory.clock;
    return refusedObjects(next, { store, clock, known, mayList: () => false });
  };
  const told = (count: number) =>
    `the new schema would refuse ${count} of ${count} stored doors; only the first ${count} were checked`;
  expect(await check(0)).toEqual([told(10_000)]);
  expect(await check(4_000)).toEqual([told(1_000)]);
});
