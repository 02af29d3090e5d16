import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import { BOOTSTRAP_ROLES } from '../../../../lib/server/access/index.ts';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { AccessApi, type Ask } from '../../../support/service/access-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEWS = '/apis/authorization.k8s.io/v1';
const PODS = '/api/v1/namespaces/default/pods';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';

const authenticated = (username: string): UserInfo => ({ username, groups: ['system:authenticated'] });
const JANE = authenticated('jane');
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

let api: AccessApi;
let admin: Ask;
let jane: Ask;

beforeEach(async () => {
  api = await AccessApi.create();
  admin = api.as(ADMIN);
  jane = api.as(JANE);
});

async function make(path: string, body: JsonObject): Promise<void> {
  const { status, body: answer } = await admin('POST', path, body);
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
}

const rule = (verbs: string[], resources: string[], apiGroups = ['']): JsonObject => ({
  verbs,
  resources,
  apiGroups,
});
const named = (name: string, more: JsonObject = {}): JsonObject => ({ metadata: { name, ...more } });
const refer = (name: string, kind = 'ClusterRole'): JsonObject => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
});

type Counted = [asked: Ask, method?: string, path?: string, body?: JsonObject];

/** Gives jane rules in the namespace `default`. */
async function give(...rules: JsonObject[]): Promise<void> {
  await make(`${RBAC}/namespaces/default/roles`, { ...named('given'), rules });
  await make(`${RBAC}/namespaces/default/rolebindings`, { ...named('given'), ...refer('given', 'Role') });
}

/** Gives jane rules in all namespaces. */
async function giveAll(...rules: JsonObject[]): Promise<void> {
  await make(`${RBAC}/clusterroles`, { ...named('everywhere'), rules });
  await make(`${RBAC}/clusterrolebindings`, { ...named('everywhere'), ...refer('everywhere') });
}

const messageOf = async (asked: ReturnType<Ask>): Promise<string> => {
  const { status, body } = await asked;
  return status === 403 ? body.message : String(status);
};

describe('A user without permissions', () => {
  it('A user without permissions reads discovery, and gets 403 for everything else', async () => {
    for (const path of ['/version', '/api', '/apis/apps/v1', '/openapi/v2']) {
      expect((await jane('GET', path)).status).toBe(200);
    }
    expect(await messageOf(jane('GET', PODS))).toBe(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    expect(await messageOf(jane('GET', '/no/such/path'))).toBe(
      'forbidden: User "jane" cannot get path "/no/such/path"',
    );
    expect((await jane('GET', '/apis/no.such/v1/things')).status).toBe(403);
    const nobody = api.as({ username: 'system:anonymous', groups: ['system:unauthenticated'] });
    expect([(await nobody('GET', '/version')).status, (await nobody('GET', '/api')).status]).toEqual([
      200, 403,
    ]);
  });
});

describe('The permission to watch', () => {
  it('The permission to watch allows no write through the paths of watches', async () => {
    await give(rule(['watch'], ['pods', 'pods/status']));
    await make(PODS, { ...named('web'), spec: podSpec() });
    const watched = PODS.replace('/v1/', '/v1/watch/');
    for (const method of ['POST', 'DELETE']) {
      expect((await jane(method, watched, method === 'POST' ? named('more') : undefined)).status).toBe(405);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : named('web');
      expect((await jane(method, `${watched}/web`, body, 'application/merge-patch+json')).status).toBe(405);
    }
    expect((await jane('GET', `${watched}/web/status`)).status).toBe(405);
    expect((await admin('GET', `${PODS}/web`)).body.metadata.generation).toBe(1);
  });
});

describe('A granted permission', () => {
  it('A permission holds from the next request on, and ends when it is revoked', async () => {
    await give(rule(['get', 'list'], ['pods']));
    expect((await jane('GET', PODS)).status).toBe(200);
    expect((await jane('GET', '/api/v1/namespaces/other/pods')).status).toBe(403);
    await admin('DELETE', `${RBAC}/namespaces/default/rolebindings/given`);
    expect((await jane('GET', PODS)).status).toBe(403);
    await make(`${RBAC}/namespaces/default/rolebindings`, { ...named('again'), ...refer('view') });
    expect((await jane('GET', PODS)).status).toBe(200);
    await admin('DELETE', `${RBAC}/namespaces/default/rolebindings`);
    expect((await jane('GET', PODS)).status).toBe(403);
  });

  it('A permission is known to a new process', async () => {
    await give(rule(['list'], ['pods']));
    api.restart();
    expect((await api.as(JANE)('GET', PODS)).status).toBe(200);
  });

  it('A decision takes one consistent read if nothing has changed, and none for system:masters', async () => {
    await give(rule(['list'], ['pods']));
    await jane('GET', PODS);
    const read: string[] = [];
    api.table.faults.get = async (next, key, ...more) => {
      read.push(key.pk);
      return next(key, ...more);
    };
    const counted = async (...[asked, method = 'GET', path = PODS, body]: Counted) => {
      read.length = 0;
      await asked(method, path, body);
      return read.filter((pk) => pk.startsWith('access#')).length;
    };
    expect([await counted(jane), await counted(admin)]).toEqual([1, 0]);
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods' } };
    const own = `${REVIEWS}/selfsubjectaccessreviews`;
    expect(await counted(jane, 'POST', own, { spec })).toBe(1);
    const about = { spec: { ...spec, user: 'jane' } };
    expect(await counted(admin, 'POST', `${REVIEWS}/subjectaccessreviews`, about)).toBe(1);
  });

  it('A PUT or PATCH of a missing object needs the verb create', async () => {
    await give(rule(['update', 'patch'], ['configmaps', 'endpoints']));
    const apply = 'application/apply-patch+yaml';
    const map = { apiVersion: 'v1', kind: 'ConfigMap', ...named('m') };
    const path = '/api/v1/namespaces/default/configmaps/m?fieldManager=t';
    expect(await messageOf(jane('PATCH', path, map, apply))).toContain('cannot create resource "configmaps"');
    expect(await messageOf(jane('PUT', '/api/v1/namespaces/default/endpoints/e', named('e')))).toContain(
      'cannot create resource "endpoints"',
    );
    await admin('PATCH', path, map, apply);
    expect((await jane('PATCH', path, map, apply)).status).toBe(200);
  });
});

describe('The permission of an open watch', () => {
  it('An open watch ends soon after its permission is revoked', async () => {
    await give(rule(['watch'], ['pods']));
    const lines = await api.watch(JANE, `${PODS}?watch=true`);
    let isOver = false;
    const over = (async () => {
      for await (const _line of lines);
      isOver = true;
    })();
    await api.clock.during(api.clock.sleep(3 * TIMING.watchHeartbeat));
    expect(isOver).toBe(false);
    await admin('DELETE', `${RBAC}/namespaces/default/rolebindings/given`);
    const before = api.clock.now();
    await api.clock.during(over);
    expect(api.clock.now() - before).toBeLessThanOrEqual(TIMING.watchHeartbeat + 2 * TIMING.watchPoll);
  });
});

describe('The permission of an open watch of selected objects', () => {
  it('A watch of selected objects ends soon after its reader may no longer watch them', async () => {
    await give(rule(['get'], ['services/selected']));
    await make(`${RBAC}/clusterroles`, { ...named('pods'), rules: [rule(['watch'], ['pods'])] });
    await make(`${RBAC}/namespaces/default/rolebindings`, { ...named('pods'), ...refer('pods') });
    await make('/api/v1/namespaces/default/services', {
      ...named('web'),
      spec: { clusterIP: 'None', selector: { app: 'web' } },
    });
    const path = '/api/v1/namespaces/default/services/web/selected?watch=true';
    const over = (async () => {
      for await (const _line of await api.watch(JANE, path));
    })();
    await api.clock.during(api.clock.sleep(3 * TIMING.watchHeartbeat));
    await admin('DELETE', `${RBAC}/namespaces/default/rolebindings/pods`);
    const before = api.clock.now();
    await api.clock.during(over);
    expect(api.clock.now() - before).toBeLessThanOrEqual(TIMING.watchHeartbeat + 2 * TIMING.watchPoll);
  });
});

describe('The reviews of access', () => {
  const mayI = async (asked: Ask, resourceAttributes: JsonObject) => {
    const { body } = await asked('POST', `${REVIEWS}/selfsubjectaccessreviews`, {
      spec: { resourceAttributes },
    });
    return body.status;
  };

  it('A review shows each user their own permissions', async () => {
    await give(rule(['list'], ['pods']));
    expect(await mayI(jane, { verb: 'list', resource: 'pods', namespace: 'default' })).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "given/default" of Role "given" to User "jane"',
    });
    expect(await mayI(jane, { verb: 'list', resource: 'pods' })).toEqual({ allowed: false });
    expect(await mayI(admin, { verb: 'list', resource: 'pods' })).toEqual({ allowed: true });
  });

  it('A review shows who may ask about the permissions of others', async () => {
    await give(
      rule(['list'], ['pods']),
      rule(['create'], ['localsubjectaccessreviews'], ['authorization.k8s.io']),
    );
    const about = { verb: 'list', resource: 'pods', namespace: 'default' };
    const spec = { user: 'jane', resourceAttributes: about };
    const anywhere = `${REVIEWS}/subjectaccessreviews`;
    expect((await jane('POST', anywhere, { spec })).status).toBe(403);
    const { body } = await admin('POST', anywhere, { spec });
    expect(body.status.allowed).toBe(true);
    const other = await admin('POST', anywhere, { spec: { ...spec, user: 'joe', groups: ['some'] } });
    expect(other.body.status).toEqual({ allowed: false });
    const path = {
      spec: { groups: ['system:authenticated'], nonResourceAttributes: { verb: 'get', path: '/api' } },
    };
    expect((await admin('POST', anywhere, path)).body.status.allowed).toBe(true);
    const local = await jane('POST', `${REVIEWS}/namespaces/default/localsubjectaccessreviews`, { spec });
    expect(local.body.status.allowed).toBe(true);
  });

  it('A review lists all rules of a namespace, and names the missing roles', async () => {
    await give(rule(['list'], ['pods']));
    await make(`${RBAC}/namespaces/default/rolebindings`, { ...named('lost'), ...refer('gone', 'Role') });
    const { body } = await jane('POST', `${REVIEWS}/selfsubjectrulesreviews`, {
      spec: { namespace: 'default' },
    });
    expect(body.status).toMatchObject({
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "gone" not found',
    });
    expect(body.status.resourceRules).toContainEqual({
      verbs: ['list'],
      apiGroups: [''],
      resources: ['pods'],
    });
    expect(body.status.nonResourceRules.length).toBeGreaterThan(0);
    const masters = await admin('POST', `${REVIEWS}/selfsubjectrulesreviews`, {
      spec: { namespace: 'default' },
    });
    expect(masters.body.status.resourceRules).toEqual([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
  });
});

describe('A writer of roles and bindings', () => {
  const ROLES = `${RBAC}/namespaces/default/roles`;
  const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
  const ALL_OF_IT = rule(
    ['create', 'update', 'patch'],
    ['roles', 'rolebindings'],
    ['rbac.authorization.k8s.io'],
  );

  it('A writer grants only permissions that the writer has', async () => {
    await give(ALL_OF_IT, rule(['get', 'list'], ['pods']));
    const reader = { ...named('reader'), rules: [rule(['get'], ['pods'])] };
    expect((await jane('POST', ROLES, reader)).status).toBe(201);
    const more = { ...named('reader'), rules: [rule(['get', 'delete'], ['pods'])] };
    expect(await messageOf(jane('PUT', `${ROLES}/reader`, more))).toBe(
      'roles.rbac.authorization.k8s.io "reader" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
    );
    expect(await messageOf(jane('POST', ROLES, { ...more, ...named('other') }))).toContain(
      'not currently held',
    );
    expect((await jane('POST', BINDINGS, { ...named('b'), ...refer('reader', 'Role') })).status).toBe(201);
    expect(await messageOf(jane('POST', BINDINGS, { ...named('c'), ...refer('edit') }))).toContain(
      'rolebindings.rbac.authorization.k8s.io "c" is forbidden: user "jane"',
    );
    const unknown = await jane('POST', BINDINGS, { ...named('d'), ...refer('none', 'Role') });
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      'role.rbac.authorization.k8s.io "none" not found',
    ]);
  });

  it('A writer with escalate or bind grants more', async () => {
    const rights = {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles'],
      resourceNames: ['edit'],
    };
    await give(
      ALL_OF_IT,
      { verbs: ['bind'], ...rights },
      rule(['escalate'], ['roles'], ['rbac.authorization.k8s.io']),
    );
    expect((await jane('POST', BINDINGS, { ...named('c'), ...refer('edit') })).status).toBe(201);
    expect((await jane('POST', ROLES, { ...named('all'), rules: [rule(['*'], ['*'], ['*'])] })).status).toBe(
      201,
    );
    expect((await jane('POST', BINDINGS, { ...named('d'), ...refer('admin') })).status).toBe(403);
  });

  it('A writer may remove finalizers, but not add labels, of a role with more permissions than the writer has', async () => {
    await give(ALL_OF_IT);
    await make(ROLES, { ...named('much', { finalizers: ['a/b'] }), rules: [rule(['get'], ['secrets'])] });
    const merge = 'application/merge-patch+json';
    const without = { metadata: { finalizers: null } };
    expect((await jane('PATCH', `${ROLES}/much`, without, merge)).status).toBe(200);
    expect((await jane('PATCH', `${ROLES}/much`, { metadata: { labels: { a: 'b' } } }, merge)).status).toBe(
      403,
    );
  });

  it('A writer changes or removes the aggregationRule of a role only with all permissions', async () => {
    const path = `${RBAC}/clusterroles/sum`;
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    await make(`${RBAC}/clusterroles`, { ...named('sum'), aggregationRule });
    await giveAll(rule(['update', 'patch'], ['clusterroles'], ['rbac.authorization.k8s.io']));
    const refused = 'must have cluster-admin privileges to use the aggregationRule';
    // The role gives nothing, so only the aggregationRule itself can be refused.
    expect(await messageOf(jane('PUT', path, { ...named('sum'), rules: [] }))).toContain(refused);
    const merge = 'application/merge-patch+json';
    expect(await messageOf(jane('PATCH', path, { aggregationRule: null }, merge))).toContain(refused);
    expect((await admin('GET', path)).body.aggregationRule).toEqual(aggregationRule);
    expect((await admin('PUT', path, { ...named('sum'), rules: [] })).status).toBe(200);
    expect((await jane('PUT', path, { ...named('sum', { labels: { c: 'd' } }), rules: [] })).status).toBe(
      200,
    );
  });

  it('A writer creates no aggregated role without all permissions', async () => {
    await giveAll(rule(['create'], ['clusterroles'], ['rbac.authorization.k8s.io']));
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    expect(
      await messageOf(jane('POST', `${RBAC}/clusterroles`, { ...named('all'), aggregationRule })),
    ).toContain('must have cluster-admin privileges to use the aggregationRule');
  });
});

describe('a role that is made of others', () => {
  it('An aggregated role shows and gives the rules of its parts, also through other aggregated roles', async () => {
    await make(`${RBAC}/clusterrolebindings`, { ...named('v'), ...refer('admin') });
    const things = ['get', '/apis/example.com/v1/things'] as const;
    expect((await jane('GET', things[1])).status).toBe(403);
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    const rules = [rule(['list'], ['things'], ['example.com'])];
    await make(`${RBAC}/clusterroles`, { ...named('things', { labels }), rules });
    // The request is allowed, and the object is missing.
    expect((await jane('GET', things[1])).status).toBe(404);
    for (const role of ['view', 'edit', 'admin']) {
      const { body } = await admin('GET', `${RBAC}/clusterroles/${role}`);
      expect(body.rules).toContainEqual({
        verbs: ['list'],
        apiGroups: ['example.com'],
        resources: ['things'],
      });
    }
    await admin('DELETE', `${RBAC}/clusterroles/things`);
    expect((await jane('GET', things[1])).status).toBe(403);
    const { body } = await admin('GET', `${RBAC}/clusterroles/admin`);
    expect(JSON.stringify(body.rules)).not.toContain('example.com');
  });
});

describe('The permissions of a subscriber', () => {
  const subscription = (spec: JsonObject) => ({
    ...named('s'),
    spec: { resource: { resource: 'pods' }, ...spec },
  });

  it('A subscriber needs list and watch of the selected objects', async () => {
    await give(rule(['*'], ['subscriptions'], ['winnow.dev']), rule(['list'], ['pods']));
    expect(await messageOf(jane('POST', SUBSCRIPTIONS, subscription({})))).toBe(
      'pods is forbidden: User "jane" cannot watch resource "pods" in API group "" in the namespace "default"',
    );
    await admin(
      'PATCH',
      `${RBAC}/namespaces/default/roles/given`,
      {
        rules: [rule(['*'], ['subscriptions'], ['winnow.dev']), rule(['list', 'watch'], ['pods'])],
      },
      'application/merge-patch+json',
    );
    expect((await jane('POST', SUBSCRIPTIONS, subscription({}))).status).toBe(201);
    const everywhere = { spec: { namespaces: 'All' } };
    expect(
      await messageOf(jane('PATCH', `${SUBSCRIPTIONS}/s`, everywhere, 'application/merge-patch+json')),
    ).toContain('cannot list resource "pods" in API group "" at the cluster scope');
  });
});

describe('The default roles', () => {
  const byName = (objects: readonly JsonObject[]) =>
    new Map(objects.map((object) => [`${object.kind} ${metadataOf(object).name}`, object]));

  it('The default roles are those of Kubernetes, and parts of them for Winnow’s own kinds', () => {
    const ours = byName(BOOTSTRAP_ROLES);
    const file = new URL('../../../golden/bootstrap-roles.json', import.meta.url);
    const recorded = byName(JSON.parse(readFileSync(file, 'utf8')));
    expect(recorded.size).toBe(17);
    for (const [name, role] of recorded) {
      expect(ours.get(name)).toEqual(role);
      ours.delete(name);
    }
    expect([...ours.keys()]).toEqual([
      'ClusterRole winnow:aggregate-to-edit',
      'ClusterRole winnow:aggregate-to-view',
      'ClusterRole winnow:aggregate-history-to-admin',
      'ClusterRole winnow:aggregate-history-to-edit',
      'ClusterRole winnow:aggregate-history-to-view',
    ]);
  });
});
