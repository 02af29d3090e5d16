import { beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { AccessApi } from '../../../support/service/access-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };
/** A user limited by labels that objects must not have: no index finds the visible objects. */
const KIM: UserInfo = { username: 'kim', groups: ['system:authenticated'] };
const MERGE = 'application/merge-patch+json';
const DEFAULT = '/namespaces/default';
const template = { metadata: { labels: { app: 'x' } }, spec: podSpec() };
const workload = { selector: { matchLabels: { app: 'x' } }, template };
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };

/** One object of many kinds, by the path of its collection. */
const OBJECTS: Readonly<Record<string, JsonObject>> = {
  [`/api/v1${DEFAULT}/configmaps`]: { data: { a: 'b' } },
  [`/api/v1${DEFAULT}/endpoints`]: {},
  [`/api/v1${DEFAULT}/persistentvolumeclaims`]: {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  [`/api/v1${DEFAULT}/pods`]: { spec: podSpec() },
  [`/api/v1${DEFAULT}/replicationcontrollers`]: { spec: { selector: { app: 'x' }, template } },
  [`/api/v1${DEFAULT}/secrets`]: { data: { a: 'Yg==' } },
  [`/api/v1${DEFAULT}/serviceaccounts`]: {},
  [`/api/v1${DEFAULT}/services`]: {
    spec: { selector: { app: 'x' }, clusterIP: 'None', ports: [{ port: 80 }] },
  },
  '/api/v1/namespaces': {},
  '/api/v1/nodes': {},
  [`/apis/apps/v1${DEFAULT}/daemonsets`]: { spec: workload },
  [`/apis/apps/v1${DEFAULT}/deployments`]: { spec: workload },
  [`/apis/apps/v1${DEFAULT}/replicasets`]: { spec: workload },
  [`/apis/apps/v1${DEFAULT}/statefulsets`]: { spec: { ...workload, serviceName: 's' } },
  [`/apis/batch/v1${DEFAULT}/jobs`]: {
    spec: { template: { spec: { ...podSpec(), restartPolicy: 'Never' } } },
  },
  [`/apis/coordination.k8s.io/v1${DEFAULT}/leases`]: { spec: {} },
  [`/apis/discovery.k8s.io/v1${DEFAULT}/endpointslices`]: { addressType: 'IPv4', endpoints: [] },
  [`/apis/networking.k8s.io/v1${DEFAULT}/networkpolicies`]: { spec: { podSelector: {} } },
  [`/apis/policy/v1${DEFAULT}/poddisruptionbudgets`]: { spec: { selector: { matchLabels: { app: 'x' } } } },
  [`${RBAC}${DEFAULT}/rolebindings`]: { roleRef, subjects: [] },
  [`${RBAC}${DEFAULT}/roles`]: { rules: [rule] },
  [`${RBAC}/clusterrolebindings`]: { roleRef, subjects: [] },
  [`${RBAC}/clusterroles`]: { rules: [rule] },
  '/apis/scheduling.k8s.io/v1/priorityclasses': { value: 7 },
  '/apis/storage.k8s.io/v1/storageclasses': { provisioner: 'p' },
  [`/apis/winnow.dev/v1${DEFAULT}/accessgrants`]: {
    roleRef,
    subjects: [],
    labelSelector: { matchLabels: { a: 'b' } },
  },
  [`/apis/winnow.dev/v1${DEFAULT}/subscriptions`]: { spec: { resource: { group: '', resource: 'pods' } } },
  [`/apis/winnow.dev/v1${DEFAULT}/tallies`]: { spec: { resource: { group: '', resource: 'pods' } } },
};
/** A PUT of these kinds creates: that the name is taken is revealed. */
const MADE =
  /\/(endpoints|services|leases|rolebindings|roles|clusterrolebindings|clusterroles|limitranges|events|runtimeclasses)(\/|$)/;

interface Route {
  readonly path: string;
  readonly isObject: boolean;
  readonly verbs: readonly string[];
}

/** A world with objects that jane does not see, and one without any. */
let inhabited: AccessApi;
let empty: AccessApi;
let routes: Route[];

beforeAll(async () => {
  inhabited = await worldOf();
  empty = await worldOf();
  for (const [path, content] of Object.entries(OBJECTS)) {
    for (const name of ['hidden', 'of-others']) await made(inhabited, path, labelled(content, name, 'b'));
  }
  for (const name of ['hidden', 'of-others']) {
    await made(inhabited, `/api/v1${DEFAULT}/events`, eventOf(name));
  }
  routes = await routesOf(empty);
});

const labelled = (content: JsonObject, name: string, team: string): JsonObject => ({
  ...content,
  metadata: { ...metadataOf(content), name, labels: { team, app: 'x' } },
});

const eventOf = (name: string): JsonObject => ({
  metadata: { name, labels: { team: 'a' }, namespace: 'default' },
  involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace: 'default' },
  reason: 'Told',
  type: 'Normal',
});

async function made(api: AccessApi, path: string, body: JsonObject): Promise<void> {
  const answer = await api.as(ADMIN)('POST', path, body);
  expect([path, answer.status, answer.body.message]).toEqual([path, 201, undefined]);
}

/** One object of each kind, and one visible object. */
async function worldOf(): Promise<AccessApi> {
  const api = await AccessApi.create();
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  await made(api, `${RBAC}/clusterroles`, { metadata: { name: 'all' }, rules: [all] });
  await made(api, '/apis/winnow.dev/v1/clusteraccessgrants', {
    metadata: { name: 'team-a' },
    roleRef: { ...roleRef, name: 'all' },
    subjects: [{ kind: 'User', name: 'jane' }],
    labelSelector: { matchLabels: { team: 'a' } },
  });
  await made(api, '/apis/winnow.dev/v1/clusteraccessgrants', {
    metadata: { name: 'not-team-b' },
    roleRef: { ...roleRef, name: 'all' },
    subjects: [{ kind: 'User', name: 'kim' }],
    labelSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['b'] }] },
  });
  for (const [path, content] of Object.entries(OBJECTS)) {
    await made(api, path, labelled(content, 'mine', 'a'));
  }
  await made(api, `/api/v1${DEFAULT}/events`, eventOf('mine'));
  return api;
}

interface Discovered {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** All paths that discovery names, of one hidden object and of collections. */
async function routesOf(api: AccessApi): Promise<Route[]> {
  const { groups } = (await api.as(ADMIN)('GET', '/apis')).body;
  const versions = groups.flatMap((one: { versions: { groupVersion: string }[] }) => one.versions);
  const documents = [
    '/api/v1',
    ...versions.map((one: { groupVersion: string }) => `/apis/${one.groupVersion}`),
  ];
  const found: Route[] = [];
  for (const document of documents) {
    const { resources } = (await api.as(ADMIN)('GET', document)).body;
    for (const { name, namespaced, verbs } of resources as Discovered[]) {
      const [resource, subresource] = name.split('/');
      const path = `${document}${namespaced ? DEFAULT : ''}/${resource}`;
      const below = subresource === undefined ? '' : `/${subresource}`;
      found.push({ path: `${path}/hidden${below}`, isObject: true, verbs });
      if (subresource === undefined) found.push({ path, isObject: false, verbs });
    }
  }
  return found;
}

/** What differs between any two worlds: resourceVersions, uids, times, and tokens that contain them. */
function told({ status, body }: { status: number; body: unknown }): string {
  const text = JSON.stringify([status, body]);
  return text
    .replace(
      /"(resourceVersion|previousResourceVersion|uid|creationTimestamp|continue|time|deletionTimestamp)":"[^"]*"/g,
      '"$1":"?"',
    )
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '?');
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  readonly type?: string;
}

async function differences(asked: readonly Asked[], user = JANE): Promise<string[]> {
  const found: string[] = [];
  for (const { method, path, body, type } of asked) {
    const [one, other] = [
      told(await inhabited.as(user)(method, path, body, type)),
      told(await empty.as(user)(method, path, body, type)),
    ];
    if (one !== other) found.push(`${method} ${path}: ${one} instead of ${other}`);
  }
  return found;
}

async function linesOf(api: AccessApi, path: string): Promise<string> {
  const lines: string[] = [];
  const answer = await api.watch(JANE, path);
  if (typeof answer === 'string') return told({ status: 0, body: JSON.parse(answer) });
  const reading = async () => {
    for await (const line of answer) lines.push(line);
  };
  await api.clock.during(reading());
  return told({ status: 200, body: lines.filter((line) => line !== '\n').map((line) => JSON.parse(line)) });
}

describe('Every route, for users with limited access', () => {
  it('The number of routes and kinds is large', () => {
    expect(routes.length).toBeGreaterThan(150);
    expect(Object.keys(OBJECTS).length).toBeGreaterThan(25);
  });

  it('A hidden object is answered as a missing one', async () => {
    const objects = routes.filter(({ isObject }) => isObject);
    const asked = objects.flatMap(({ path }): Asked[] => [
      { method: 'GET', path },
      { method: 'GET', path: `${path}?resourceVersion=1` },
      { method: 'PATCH', path, body: {}, type: MERGE },
      { method: 'PATCH', path, body: { metadata: { labels: { team: 'a' } } }, type: MERGE },
      { method: 'PATCH', path, body: { metadata: { resourceVersion: '7' } }, type: MERGE },
      { method: 'PUT', path, body: {} },
      { method: 'POST', path, body: { metadata: { name: 'hidden' } } },
      { method: 'DELETE', path },
      { method: 'DELETE', path, body: { preconditions: { uid: 'no-such' } } },
      { method: 'GET', path: `${path}/selectedby` },
      { method: 'GET', path: `${path}/selected` },
      { method: 'GET', path: `${path}/history` },
      { method: 'GET', path: `${path}/history?all=true&states=true` },
    ]);
    expect(await differences(asked)).toEqual([]);
  });

  it('A PUT of a hidden object is answered as for a missing one', async () => {
    const kinds = Object.entries(OBJECTS).filter(([path]) => !MADE.test(path));
    const asked = kinds.flatMap(([path, content]): Asked[] => [
      { method: 'PUT', path: `${path}/hidden`, body: labelled(content, 'hidden', 'a') },
      { method: 'PUT', path: `${path}/hidden`, body: labelled(content, 'hidden', 'b') },
    ]);
    expect(await differences(asked)).toEqual([]);
  });

  it('A list has only visible objects, whatever its options are', async () => {
    const queries = [
      '',
      'limit=1',
      'limit=2',
      'limit=1&resourceVersion=0',
      'labelSelector=team',
      'labelSelector=app%3Dx',
      'labelSelector=team%3Db',
      'labelSelector=!team',
      'fieldSelector=metadata.name%3Dhidden',
      'fieldSelector=metadata.name%3Dmine',
      'facets=team,app',
      'sortBy=-team',
      'explain=true',
      'explain=header',
      'facets=team&explain=text',
    ];
    const lists = routes.filter(({ isObject, verbs }) => !isObject && verbs.includes('list'));
    const asked = lists.flatMap(({ path }) =>
      queries.map((query): Asked => ({ method: 'GET', path: `${path}?${query}` })),
    );
    expect(asked.length).toBeGreaterThan(500);
    expect(await differences(asked)).toEqual([]);
    expect(await differences(asked, KIM)).toEqual([]);
  });

  it('A history has only visible changes', async () => {
    const collections = Object.keys(OBJECTS).map((path) => {
      const [, , group = ''] = path.startsWith('/apis') ? path.split('/') : [];
      return [path.split('/').at(-1), group].filter(Boolean).join('.');
    });
    const queries = [
      '',
      '&limit=1',
      '&all=true&states=true',
      '&labelSelector=team',
      '&labelSelector=team%3Db',
    ];
    const asked = [...collections, 'events'].flatMap((resource) =>
      ['', DEFAULT].flatMap((place) =>
        queries.map((query): Asked => {
          const path = `/apis/winnow.dev/v1${place}/histories?fieldSelector=resource%3D${resource}${query}`;
          return { method: 'GET', path };
        }),
      ),
    );
    const answered = await inhabited.as(JANE)('GET', String(asked[0]?.path));
    expect([answered.status, answered.body.items.length]).toEqual([200, 1]);
    expect(await differences(asked)).toEqual([]);
    expect(await differences(asked, KIM)).toEqual([]);
  });

  it('A watch has only visible objects', async () => {
    const watched = routes.filter(({ isObject, verbs }) => !isObject && verbs.includes('watch'));
    const differing: string[] = [];
    for (const { path } of watched) {
      for (const query of ['watch=1&timeoutSeconds=1', 'watch=1&timeoutSeconds=1&resourceVersion=1']) {
        const [one, other] = [
          await linesOf(inhabited, `${path}?${query}`),
          await linesOf(empty, `${path}?${query}`),
        ];
        if (one !== other) differing.push(`${path}?${query}: ${one} instead of ${other}`);
      }
    }
    expect(differing).toEqual([]);
  });

  it('A delete of a collection deletes only visible objects', async () => {
    const asked = routes
      .filter(({ isObject, verbs }) => !isObject && verbs.includes('deletecollection'))
      .map(({ path }): Asked => ({ method: 'DELETE', path }));
    expect(await differences(asked)).toEqual([]);
    for (const path of Object.keys(OBJECTS)) {
      const { status, body } = await inhabited.as(ADMIN)('GET', `${path}/hidden`);
      expect([path, status, body.metadata?.deletionTimestamp]).toEqual([path, 200, undefined]);
    }
  });
});
