import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { AccessApi, type Ask } from '../../../support/service/access-api.ts';

const GRANTS = '/apis/winnow.dev/v1/namespaces/default/accessgrants';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };
const KIM: UserInfo = { username: 'kim', groups: ['system:authenticated'] };

let api: AccessApi;
let admin: Ask;

beforeEach(async () => {
  api = await AccessApi.create();
  admin = api.as(ADMIN);
});

const grant = (more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'team-a' },
  roleRef: { kind: 'ClusterRole', name: 'edit' },
  subjects: [{ kind: 'User', name: 'jane' }],
  labelSelector: { matchLabels: { team: 'a' } },
  ...more,
});

describe('The kind AccessGrant', () => {
  it('An AccessGrant is stored like a binding, with the groups of its references', async () => {
    const { status, body } = await admin('POST', GRANTS, grant());
    expect([status, body.roleRef.apiGroup, body.subjects[0].apiGroup]).toEqual([
      201,
      'rbac.authorization.k8s.io',
      'rbac.authorization.k8s.io',
    ]);
  });

  it.each([
    [{ labelSelector: {} }, 'labelSelector: Required value'],
    [{ labelSelector: { matchLabels: { team: '!' } } }, 'labelSelector.matchLabels: Invalid value'],
    [{ roleRef: { kind: 'Group', name: 'a' } }, 'roleRef.kind: Unsupported value'],
    [{ subjects: [{ kind: 'User' }] }, 'subjects[0].name: Required value'],
    [{ subjects: ['jane'] }, 'subjects[0]: Invalid value'],
  ])('An AccessGrant is refused as %j', async (more, message) => {
    const { status, body } = await admin('POST', GRANTS, grant(more as JsonObject));
    expect([status, body.message]).toEqual([422, expect.stringContaining(message)]);
  });

  it('A cluster-wide AccessGrant gives a ClusterRole', async () => {
    const path = '/apis/winnow.dev/v1/clusteraccessgrants';
    const { status, body } = await admin('POST', path, grant({ roleRef: { kind: 'Role', name: 'edit' } }));
    expect([status, body.message]).toEqual([422, expect.stringContaining('roleRef.kind')]);
  });

  it('An AccessGrant may change its selector, but never its role', async () => {
    await admin('POST', GRANTS, grant());
    const merge = (body: JsonObject) =>
      admin('PATCH', `${GRANTS}/team-a`, body, 'application/merge-patch+json');
    expect((await merge({ labelSelector: { matchLabels: { team: 'b' } } })).status).toBe(200);
    expect((await merge({ roleRef: { name: 'view' } })).body.message).toContain('cannot change roleRef');
  });

  it('An AccessGrant is created by a user that may bind its role, or has its permissions', async () => {
    const rules = [{ verbs: ['*'], apiGroups: ['winnow.dev'], resources: ['accessgrants'] }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'granter' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'kim' }];
    const roles = `${RBAC}/clusterroles`;
    await admin('POST', roles, { metadata: { name: 'granter' }, rules });
    await admin('POST', `${RBAC}/clusterrolebindings`, { metadata: { name: 'granter' }, roleRef, subjects });
    const kim = api.as(KIM);
    const refused = await kim('POST', GRANTS, grant());
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('is attempting to grant RBAC permissions not currently held'),
    ]);
    const bind = { verbs: ['bind'], apiGroups: [roleRef.apiGroup], resources: ['clusterroles'] };
    await admin('PUT', `${roles}/granter`, { metadata: { name: 'granter' }, rules: [...rules, bind] });
    expect((await kim('POST', GRANTS, grant())).status).toBe(201);
    expect((await kim('PATCH', `${GRANTS}/team-a`, {}, 'application/merge-patch+json')).status).toBe(200);
  });
});

describe('An object that a PUT or an apply creates', () => {
  const ENDPOINTS = '/api/v1/namespaces/default/endpoints';

  it('The object must match what its author may create, even if the author may update all objects', async () => {
    const apiGroup = 'rbac.authorization.k8s.io';
    const subjects = [{ kind: 'User', name: 'jane' }];
    const role = (name: string, ...verbs: string[]) =>
      admin('POST', `${RBAC}/clusterroles`, {
        metadata: { name },
        rules: [{ verbs, apiGroups: [''], resources: ['endpoints'] }],
      });
    await role('changer', 'update', 'patch', 'get');
    await role('maker', 'create');
    await admin('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'changer' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'changer' },
      subjects,
    });
    const jane = api.as(JANE);
    const made = (team: string) => ({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'm', labels: { team } },
    });
    const put = async (team: string) => (await jane('PUT', `${ENDPOINTS}/m`, made(team))).status;
    const apply = async (team: string) =>
      (await jane('PATCH', `${ENDPOINTS}/m?fieldManager=t`, made(team), 'application/apply-patch+yaml'))
        .status;
    expect([await put('a'), await apply('a')]).toEqual([403, 403]);

    await admin('POST', GRANTS, grant({ roleRef: { kind: 'ClusterRole', name: 'maker' } }));
    expect([await put('b'), await apply('b')]).toEqual([403, 403]);
    expect((await admin('GET', `${ENDPOINTS}/m`)).status).toBe(404);
    expect([await put('a'), await put('b'), await apply('c')]).toEqual([201, 200, 409]);
  });
});

describe('A process that starts', () => {
  it('A starting process lists grants if any were ever written', async () => {
    const listed: string[] = [];
    api.table.faults.query = async (next, request, ...more) => {
      if (request.partition.includes('accessgrants')) listed.push(request.partition);
      return next(request, ...more);
    };
    await api.as(JANE)('GET', '/version');
    expect(listed).toEqual([]);
    await admin('POST', GRANTS, grant());
    api.restart();
    await api.as(JANE)('GET', '/version');
    expect(listed.length).toBeGreaterThan(0);
  });
});
