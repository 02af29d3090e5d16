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

const RBAC = 'rbac.authorization.k8s.io';
const ann = () => api.as({ username: 'ann', uid: 'ann', groups: ['system:authenticated'] } as never);

/** Gives ann a role with a rule, in all namespaces or, by a grant, for the doors with a label. */
async function allow(name: string, rule: JsonObject, labelSelector?: JsonObject): Promise<void> {
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: RBAC, kind: 'User', name: 'ann' }];
  const made = { metadata: { name }, roleRef, subjects };
  await api.ask('POST', `/apis/${RBAC}/v1/clusterroles`, { metadata: { name }, rules: [rule] });
  await (labelSelector === undefined
    ? api.ask('POST', `/apis/${RBAC}/v1/clusterrolebindings`, made)
    : api.ask('POST', '/apis/winnow.dev/v1/clusteraccessgrants', { ...made, labelSelector }));
}

const NOT_CHECKED = '299 - "stored objects were not checked: you may not list doors"';
const DEFINES = {
  apiGroups: ['apiextensions.k8s.io'],
  resources: ['customresourcedefinitions'],
  verbs: ['patch', 'get'],
};
const LISTS = { apiGroups: ['fleet.example'], resources: ['doors'], verbs: ['list', 'get'] };

it('A caller who may not list the objects learns nothing about them, and that they were not checked', async () => {
  await door('a', 'much longer');
  await allow('definer', DEFINES);
  expect(await rehearse({ type: 'string', maxLength: 5 }, ann())).toBe(NOT_CHECKED);
  expect(await rehearse({ type: 'string', maxLength: 50 }, ann())).toBe(NOT_CHECKED);
  expect(await rehearse({ type: 'string' }, ann())).toBe('');
  await allow('lister', { ...LISTS, resourceNames: ['a'] });
  expect(await rehearse({ type: 'string', maxLength: 5 }, ann())).toBe(NOT_CHECKED);
  await allow('reader', LISTS);
  expect(await rehearse({ type: 'string', maxLength: 5 }, ann())).toContain(
    'would refuse 1 of 1 stored doors',
  );
});

it('A caller who may list only the objects that a grant selects learns nothing about the stored objects', async () => {
  await door('a', 'much longer');
  await allow('definer', DEFINES);
  await allow('some', LISTS, { matchLabels: { team: 'a' } });
  expect((await ann().ask('GET', DOORS)).items).toEqual([]);
  expect(await rehearse({ type: 'string', maxLength: 5 }, ann())).toBe(NOT_CHECKED);
});

const version = (name: string, model: JsonObject, more: JsonObject = {}) => {
  const [first] = definition(model).spec.versions;
  return { ...first, name, storage: false, ...more };
};
const rehearseVersions = async (...versions: JsonObject[]) => {
  const path = `${DEFINITION}/doors.fleet.example?dryRun=All`;
  const type = 'application/merge-patch+json';
  const { status, headers } = await api.send('PATCH', path, { spec: { versions } }, type);
  expect(status).toBe(200);
  return headers.warning ?? '';
};
const setVersions = (...versions: JsonObject[]) =>
  api.ask(
    'PATCH',
    `${DEFINITION}/doors.fleet.example`,
    { spec: { versions } },
    'application/merge-patch+json',
  );
const TEXT = { type: 'string' };
const SHORT = { type: 'string', maxLength: 5 };
const STORED = { storage: true };
const REFUSES_B = (where: string) =>
  [
    '299 - "the new schema would refuse 1 of 2 stored doors"',
    `299 - "the new schema would refuse default/b: spec.model in ${where}"`,
  ].join(', ');

it('A dry run compares a new version, stored or not, with the former storage version', async () => {
  await door('a', 'short');
  await door('b', 'much longer');
  expect(await rehearseVersions(version('v1', TEXT), version('v2', SHORT, STORED))).toBe(REFUSES_B('v2'));
  expect(await rehearseVersions(version('v1', TEXT, STORED), version('v2', SHORT))).toBe(REFUSES_B('v2'));
  expect(await rehearseVersions(version('v1', TEXT), version('v2', TEXT, STORED))).toBe('');
  expect(await rehearseVersions(version('v1', SHORT, STORED), version('v2', TEXT))).toBe(REFUSES_B('v1'));
  expect(await rehearseVersions(version('v1', SHORT), version('v2', SHORT, STORED))).toBe(
    REFUSES_B('v2, v1'),
  );
});

it('A dry run checks a served version in which no object is stored, and no version that is not served', async () => {
  await setVersions(
    version('v1', TEXT, STORED),
    version('v2', TEXT),
    version('v3', SHORT, { served: false }),
  );
  await door('a', 'short');
  await door('b', 'much longer');
  const rehearsed = (v2: JsonObject, v3: JsonObject) => rehearseVersions(version('v1', TEXT, STORED), v2, v3);
  const unserved = { served: false };
  expect(await rehearsed(version('v2', SHORT), version('v3', SHORT, unserved))).toBe(REFUSES_B('v2'));
  expect(await rehearsed(version('v2', TEXT), version('v3', { ...SHORT, maxLength: 1 }, unserved))).toBe('');
  expect(await rehearsed(version('v2', TEXT), version('v3', SHORT))).toBe(REFUSES_B('v3'));
});

it('A dry run checks a version whose objects lose a required field in the new storage version', async () => {
  const required = (field: string) => {
    const spec = { type: 'object', properties: { [field]: TEXT } };
    return { type: 'object', properties: { spec } };
  };
  const old = required('model');
  const strict = { ...old.properties.spec, required: ['model'] };
  const v1 = version('v1', TEXT, { schema: { openAPIV3Schema: { ...old, properties: { spec: strict } } } });
  const v2 = version('v2', TEXT, { schema: { openAPIV3Schema: required('other') }, storage: true });
  await setVersions({ ...v1, storage: true });
  await door('a', 'short');
  expect(await rehearseVersions(v1, v2)).toContain('would refuse default/a: spec.model in v1');
});

it('A rule with an optional oldSelf sees a stored object as its own former value, as in a later update', async () => {
  await door('a', 'short');
  const rule = (text: string, optionalOldSelf = true) => ({
    ...TEXT,
    'x-kubernetes-validations': [{ rule: text, ...(optionalOldSelf && { optionalOldSelf }) }],
  });
  expect(await rehearse(rule('oldSelf.hasValue()'))).toBe('');
  expect(await rehearse(rule("!oldSelf.hasValue() || oldSelf.value() == 'long'"))).toContain('refuse 1 of 1');
  expect(await rehearse(rule('self != oldSelf', false))).toBe('');
  expect(await rehearse(rule("self == 'long'", false))).toContain('refuse default/a: spec.model');
  await setVersions(version('v1', rule('oldSelf.hasValue()'), STORED));
  const labels = { metadata: { labels: { team: 'a' } } };
  await api.ask('PATCH', `${DOORS}/a`, labels, 'application/merge-patch+json');
  await api.ask('PATCH', `${DOORS}/a`, { spec: { model: 'other' } }, 'application/merge-patch+json');
  await expect(door('b', 'short')).rejects.toThrow('oldSelf.hasValue()');
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
    return refusedObjects(next, { store, clock, known, mayList: () => true });
  };
  const told = (count: number) =>
    `the new schema would refuse ${count} of ${count} stored doors; only the first ${count} were checked`;
  expect((await check(0))[0]).toBe(told(10_000));
  expect((await check(4_000))[0]).toBe(told(1_000));
});
