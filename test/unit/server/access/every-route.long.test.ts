import { beforeAll, describe, expect, it } from '@jest/globals';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { AccessApi } from '../../../support/service/access-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const ANONYMOUS: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
type Verb = (typeof VERBS)[number];

const authenticated = (username: string): UserInfo => ({ username, groups: ['system:authenticated'] });
const only = (verb: Verb) => authenticated(`only-${verb}`);
/** A user with a role and a binding, but for no existing type. */
const DENIED = authenticated('denied');
const UNKNOWN = authenticated('unknown');
/** The questions that Kubernetes lets every user ask about themselves. */
const ABOUT_ONESELF = /\/selfsubject(access|rules)?reviews(\/|$)/;

interface Route {
  readonly method: string;
  readonly path: string;
  /** The attributes by which Kubernetes decides the request. */
  readonly verb: Verb;
}

let api: AccessApi;
let documents: string[];
let routes: Route[];

beforeAll(async () => {
  api = await AccessApi.create();
  const roles = VERBS.map((verb) => ({
    name: `only-${verb}`,
    verbs: [verb],
    apiGroups: ['*'],
    resources: ['*'],
  }));
  roles.push({ name: 'denied', verbs: ['get'], apiGroups: ['no.such'], resources: ['things'] } as never);
  for (const { name, ...rule } of roles) {
    await made(`${RBAC}/clusterroles`, { metadata: { name }, rules: [rule] });
    await made(`${RBAC}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    });
  }
  documents = await discovered();
  routes = (await Promise.all(documents.map(routesOf))).flat();
});

async function made(path: string, body: Parameters<ReturnType<AccessApi['as']>>[2]): Promise<void> {
  expect((await api.as(ADMIN)('POST', path, body)).status).toBe(201);
}

/** The paths of all group versions. */
async function discovered(): Promise<string[]> {
  const { body } = await api.as(ADMIN)('GET', '/apis');
  const groups: { versions: { groupVersion: string }[] }[] = body.groups;
  return ['/api/v1', ...groups.flatMap(({ versions }) => versions.map((one) => `/apis/${one.groupVersion}`))];
}

interface Discovered {
  readonly name: string;
  readonly namespaced: boolean;
}

async function routesOf(document: string): Promise<Route[]> {
  const { body } = await api.as(ADMIN)('GET', document);
  return (body.resources as Discovered[]).flatMap(({ name, namespaced }) => {
    const [resource = '', subresource] = name.split('/');
    const base = `${document}/${namespaced ? 'namespaces/default/' : ''}${resource}`;
    if (subresource !== undefined) return ofObject(`${base}/no-such/${subresource}`);
    return [...ofCollection(base), ...ofObject(`${base}/no-such`)];
  });
}

const ofObject = (path: string): Route[] => [
  { method: 'GET', path, verb: 'get' },
  { method: 'POST', path, verb: 'create' },
  { method: 'PUT', path, verb: 'update' },
  { method: 'PATCH', path, verb: 'patch' },
  { method: 'DELETE', path, verb: 'delete' },
];

/** A request for histories is decided by the resource that it names. */
const queryOf = (path: string) => (path.endsWith('/histories') ? 'fieldSelector=resource%3Dpods&' : '');

const ofCollection = (path: string): Route[] => [
  { method: 'GET', path: `${path}?${queryOf(path)}`, verb: 'list' },
  { method: 'GET', path: `${path}?${queryOf(path)}watch=true&timeoutSeconds=0`, verb: 'watch' },
  { method: 'POST', path, verb: 'create' },
  { method: 'DELETE', path: `${path}?labelSelector=no%3Dsuch`, verb: 'deletecollection' },
];

async function statusOf(user: UserInfo, { method, path }: Pick<Route, 'method' | 'path'>): Promise<number> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return (await api.as(user)(method, path, body, type)).status;
}

/** The routes whose answer is not a refusal. */
async function unrefused(user: UserInfo, asked: readonly Route[]): Promise<string[]> {
  const found: string[] = [];
  for (const route of asked) {
    const status = await statusOf(user, route);
    if (status !== 403) found.push(`${route.method} ${route.path}: ${status}`);
  }
  return found;
}

const isAboutOneself = ({ method, path }: Route) => method === 'POST' && ABOUT_ONESELF.test(path);

describe('Every method of every route that discovery names', () => {
  it('The number of routes is large', () => {
    expect(documents.length).toBeGreaterThan(15);
    expect(routes.length).toBeGreaterThan(600);
  });

  it('Every route is refused without a login', async () => {
    expect(await unrefused(ANONYMOUS, routes)).toEqual([]);
  });

  it.each([
    ['no role', UNKNOWN],
    ['a role for something else', DENIED],
  ])(
    'Every route is refused for users with %s, except for questions about their own permissions',
    async (_, user) => {
      const [own, others] = [routes.filter(isAboutOneself), routes.filter((route) => !isAboutOneself(route))];
      expect(await unrefused(user, others)).toEqual([]);
      expect(await unrefused(user, own)).toHaveLength(own.length);
    },
  );

  it.each(VERBS)('Every route is refused for users with only %s, except for that verb', async (verb) => {
    const others = routes.filter((route) => route.verb !== verb && !isAboutOneself(route));
    expect(await unrefused(only(verb), others)).toEqual([]);
  });

  it.each(VERBS.filter((verb) => verb !== 'watch'))(
    'Every route is decided for users with %s',
    async (verb) => {
      const asked = routes.filter((route) => route.verb === verb);
      expect(asked.length).toBeGreaterThan(50);
      for (const route of asked) {
        const status = await statusOf(only(verb), route);
        expect([route, status]).not.toEqual([route, 403]);
        expect([route, status]).not.toEqual([route, 500]);
      }
    },
  );

  it('The paths of watches accept only watches', async () => {
    const watched = routes
      .filter(({ verb, method }) => method !== 'GET' && verb !== 'watch')
      .map(({ path, ...more }) => ({
        ...more,
        path: path.replace(/^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\//, '$1/watch/'),
      }));
    for (const route of watched) {
      expect([404, 405]).toContain(await statusOf(only('watch'), route));
      expect([route, await statusOf(only(route.verb), route)]).toEqual([route, 403]);
    }
  });

  it('The paths of watches are open to users that may watch', async () => {
    const watched = routes.filter(({ verb }) => verb === 'watch');
    for (const { path } of watched) {
      const answer = await api.watch(only('watch'), path);
      // A type without watches has one answer, which says so.
      if (typeof answer === 'string') expect([path, JSON.parse(answer).code]).toEqual([path, 405]);
    }
  });
});

describe('Every path outside discovery', () => {
  const PUBLIC = ['/healthz', '/livez', '/readyz', '/version'];

  it('Every other path is refused without a login, except for public paths', async () => {
    const paths = ['/', '/api', '/apis', '/openapi/v2', '/openapi/v3', '/no/such', ...documents];
    const asked = paths.map((path): Route => ({ method: 'GET', path, verb: 'get' }));
    expect(await unrefused(ANONYMOUS, asked)).toEqual([]);
    for (const path of PUBLIC) {
      expect([path, await statusOf(ANONYMOUS, { method: 'GET', path })]).not.toEqual([path, 403]);
    }
  });

  it('Every other path is discovery, or refused, for users without a role', async () => {
    for (const path of ['/api', '/apis', '/openapi/v2', ...documents, ...PUBLIC]) {
      expect([path, await statusOf(UNKNOWN, { method: 'GET', path })]).not.toEqual([path, 403]);
    }
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/no/such', '/metrics', '/api/v2/pods', '/apis/no.such/v1/things/one']) {
        expect([method, path, await statusOf(UNKNOWN, { method, path })]).toEqual([method, path, 403]);
      }
    }
  });

  it('A path is open only through a binding', async () => {
    for (const name of ['system:public-info-viewer', 'system:discovery']) {
      const deleted = await api.as(ADMIN)('DELETE', `${RBAC}/clusterrolebindings/${name}`);
      expect(deleted.status).toBe(200);
    }
    const paths = ['/', '/api', '/apis', '/openapi/v2', '/openapi/v3', ...PUBLIC, ...documents];
    const asked = paths.map((path): Route => ({ method: 'GET', path, verb: 'get' }));
    expect(await unrefused(ANONYMOUS, asked)).toEqual([]);
    expect(await unrefused(UNKNOWN, asked)).toEqual([]);
  });
});
