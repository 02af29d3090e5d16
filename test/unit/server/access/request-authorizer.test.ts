import { expect, it } from '@jest/globals';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { RequestAuthorizer } from '../../../../lib/server/access/request-authorizer.ts';
import type { ApiRequest, UserInfo } from '../../../../lib/server/index.ts';
import { createStore } from '../../../../lib/store/index.ts';
import { AccessApi } from '../../../support/service/access-api.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const ARN = 'arn:aws:iam::111122223333:role/Deployer';
const ENTRIES = '/apis/winnow.dev/v1/accessentries';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters'] };
const MERGE = 'application/merge-patch+json';

it('The authorizer decides about the user in the audit event, whatever changes while the event is written', async () => {
  const api = await AccessApi.create();
  const admin = api.as(ADMIN);
  const spec = { principal: ARN, username: 'jane' };
  const subjects = [{ kind: 'User', name: 'jane' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  await admin('POST', ENTRIES, { metadata: { name: 'e' }, spec });
  await admin('POST', `${RBAC}/clusterrolebindings`, { metadata: { name: 'jane' }, roleRef, subjects });

  const gate = new RequestAuthorizer();
  const store = createStore({ table: api.table, clock: api.clock, random: seeded(3), logger: silentLogger });
  const request: ApiRequest = {
    method: 'GET',
    path: '/api/v1/pods',
    query: new URLSearchParams(),
    headers: {},
    user: { username: ARN, groups: ['system:authenticated'] },
    principal: ARN,
  };
  const told: string[] = [];
  const admitting = () =>
    gate.admit({
      request,
      store,
      lasting: store,
      begin: async ({ user }) => {
        told.push(user.username);
        await admin('PATCH', `${ENTRIES}/e`, { spec: { username: 'kim' } }, MERGE);
        // Another request of the same process reads the change.
        await gate.policy(store);
        return undefined;
      },
    });
  const admitted = await api.during(admitting());
  expect([told, admitted.request.user.username]).toEqual([['jane'], 'jane']);
  await expect(api.during(admitting())).rejects.toThrow('User "kim" cannot list');
});
