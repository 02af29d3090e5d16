import { beforeEach, describe, expect, it } from '@jest/globals';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { AccessApi, type Ask } from '../../../support/service/access-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';

const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
/** A user who may do everything with the objects of one namespace. */
const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };

let admin: Ask;
let jane: Ask;

beforeEach(async () => {
  const api = await AccessApi.create();
  [admin, jane] = [api.as(ADMIN), api.as(JANE)];
  const apiGroup = 'rbac.authorization.k8s.io';
  const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  await admin('POST', `${RBAC}/namespaces/default/roles`, { metadata: { name: 'own' }, rules });
  await admin('POST', `${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: 'own' },
    roleRef: { apiGroup, kind: 'Role', name: 'own' },
    subjects: [{ apiGroup, kind: 'User', name: 'jane' }],
  });
  await admin('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
});

/** Gives jane a verb on a type in all namespaces, through a role. */
async function giveEverywhere(rule: { readonly resourceNames?: string[] } = {}): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'], ...rule }];
  await admin('POST', `${RBAC}/clusterroles`, { metadata: { name: 'all' }, rules });
  await admin('POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'all' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'all' },
    subjects: [{ apiGroup, kind: 'User', name: 'jane' }],
  });
}

describe('Explain, which reveals objects in other namespaces', () => {
  it.each([
    ...['true', '1', '', 'text', 'header'].map((value) => `${MAPS}?explain=${value}`),
    `${MAPS}?explain=header&labelSelector=team%3Db&limit=1`,
    `${MAPS}?explain=header&fieldSelector=metadata.name%3Da`,
    `${MAPS}?facets=team&explain=true`,
    `${MAPS}?facets=team&explain=header&labelSelector=team`,
    `${MAPS}?sortBy=team&explain=text`,
    '/api/v1/namespaces/default/services/web/selected?explain=text',
    '/api/v1/namespaces/default/services/web/selected?explain=header&facets=app',
  ])('Explain is refused to a user of one namespace: %s', async (path) => {
    const without = path.replace(/(\?|&)explain=[a-z0-9]*&?/, '$1');
    expect((await jane('GET', without)).status).toBe(200);
    const { status, body } = await jane('GET', path);
    expect([status, body.reason]).toEqual([403, 'Forbidden']);
    expect(body.message).toMatch(
      /is forbidden: User "jane" cannot list resource "(configmaps|pods)" in API group "" at the cluster scope: explain shows facts about the whole collection, so it needs permission to list all of its objects$/,
    );
    expect((await admin('GET', path.replace('explain=text', 'explain=true'))).status).toBe(200);
  });

  it('Explain is answered to a user who may list the whole collection', async () => {
    await giveEverywhere();
    const { status, body } = await jane('GET', `${MAPS}?explain=true`);
    expect([status, body.kind]).toEqual([200, 'Table']);
  });

  it('Explain is refused to a user who may list only one name of the collection', async () => {
    await giveEverywhere({ resourceNames: ['a'] });
    const path = '/api/v1/configmaps?fieldSelector=metadata.name%3Da';
    expect((await jane('GET', path)).status).toBe(200);
    expect((await jane('GET', `${path}&explain=header`)).status).toBe(403);
  });
});
