import { beforeEach, expect, it } from '@jest/globals';
import { MASTERS } from '../../../../lib/server/http/index.ts';
import { AccessApi, type Ask } from '../../../support/service/access-api.ts';

const ADMIN = { username: 'root', groups: [MASTERS] };
const NODE_A = { username: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] };
const PODS = '/api/v1/namespaces/default/pods';
const SECRETS = '/api/v1/namespaces/default/secrets';

let api: AccessApi;
let admin: Ask;
let node: Ask;

beforeEach(async () => {
  api = await AccessApi.create();
  admin = api.as(ADMIN);
  node = api.as(NODE_A);
  await admin('POST', '/api/v1/nodes', { metadata: { name: 'a' } });
  await admin('POST', SECRETS, { metadata: { name: 'key' } });
});

function pod(name: string, nodeName: string, spec: object = {}) {
  const containers = [{ name: 'c', image: 'i' }];
  return { metadata: { name, labels: { app: 'x' } }, spec: { nodeName, containers, ...spec } };
}

const withSecret = { volumes: [{ name: 'v', secret: { secretName: 'key' } }] };

it('a node reads a secret from the moment a pod on it uses the secret, until that pod is gone', async () => {
  expect((await node('GET', `${SECRETS}/key`)).status).toBe(403);
  await admin('POST', PODS, pod('p', 'b', withSecret));
  expect((await node('GET', `${SECRETS}/key`)).body.message).toContain(
    "no relationship found between node 'a' and this object",
  );
  await admin('POST', PODS, pod('q', 'a', withSecret));
  expect((await node('GET', `${SECRETS}/key`)).status).toBe(200);
  await admin('DELETE', `${PODS}/q?gracePeriodSeconds=0`);
  expect((await node('GET', `${SECRETS}/key`)).status).toBe(403);
});

it('the reference of a secret in another namespace gives a node nothing', async () => {
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
  await admin('POST', '/api/v1/namespaces/other/secrets', { metadata: { name: 'key' } });
  await admin('POST', PODS, pod('p', 'a', withSecret));
  expect((await node('GET', '/api/v1/namespaces/other/secrets/key')).status).toBe(403);
});

it('a role gives a node more than its own rights', async () => {
  expect((await node('GET', '/apis/apps/v1/deployments')).status).toBe(403);
  await admin('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'nodes-view' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
  });
  expect((await node('GET', '/apis/apps/v1/deployments')).status).toBe(200);
  expect((await node('GET', PODS)).status).toBe(200);
});

it('a role that lets a node write all Nodes still leaves it only its own', async () => {
  await admin('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'nodes-admin' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:node:a' }],
  });
  await admin('POST', '/api/v1/nodes', { metadata: { name: 'b' } });
  const refused = await node('DELETE', '/api/v1/nodes/b');
  expect(refused.body.message).toBe('nodes "b" is forbidden: node "a" is not allowed to modify node "b"');
  expect((await admin('GET', '/api/v1/nodes/b')).status).toBe(200);
});

it('the refused eviction of a pod on another node leaves the disruption budget as it was', async () => {
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  await admin('POST', PODS, pod('p', 'b'));
  await admin('PATCH', `${PODS}/p/status`, { status: { phase: 'Running' } }, 'application/merge-patch+json');
  await admin('POST', budgets, {
    metadata: { name: 'budget' },
    spec: { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 1 },
  });
  const status = {
    observedGeneration: 1,
    disruptionsAllowed: 1,
    currentHealthy: 1,
    desiredHealthy: 0,
    expectedPods: 1,
  };
  await admin('PATCH', `${budgets}/budget/status`, { status }, 'application/merge-patch+json');
  const refused = await node('POST', `${PODS}/p/eviction`, { metadata: { name: 'p' } });
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'pods "p" is forbidden: node a can only evict pods with spec.nodeName set to itself',
  ]);
  const budget = await admin('GET', `${budgets}/budget`);
  expect(budget.body.status.disruptionsAllowed).toBe(1);
  expect((await admin('POST', `${PODS}/p/eviction`, { metadata: { name: 'p' } })).status).toBe(201);
});

it('a user with the name of a node outside the group of nodes has no rights of a node', async () => {
  const other = api.as({ username: 'system:node:a', groups: ['system:authenticated'] });
  expect((await other('GET', '/api/v1/nodes/a')).body.message).toBe(
    'nodes "a" is forbidden: User "system:node:a" cannot get resource "nodes" in API group "" at the cluster scope',
  );
});

it('the plan of a list needs the right to list all pods, which a node does not have', async () => {
  const own = `/api/v1/pods?fieldSelector=${encodeURIComponent('spec.nodeName=a')}`;
  expect((await node('GET', own)).status).toBe(200);
  expect((await node('GET', `${own}&labelSelector=app&explain=text`)).status).toBe(403);
});

it('a node does not see what selects its Lease', async () => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
  await node('POST', leases, { metadata: { name: 'a' } });
  expect((await node('GET', `${leases}/a`)).status).toBe(200);
  expect((await node('GET', `${leases}/a/selectedby`)).status).toBe(403);
});

it('a node that reports that it is ready loses the taint of nodes that are not, which it may not remove itself', async () => {
  const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
  const merge = 'application/merge-patch+json';
  expect((await admin('GET', '/api/v1/nodes/a')).body.spec.taints).toEqual(taints);
  const removal = await node('PATCH', '/api/v1/nodes/a', { spec: { taints: [] } }, merge);
  expect(removal.body.message).toBe('nodes "a" is forbidden: node "a" is not allowed to modify taints');
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  expect((await node('PATCH', '/api/v1/nodes/a/status', { status }, merge)).status).toBe(200);
  expect((await admin('GET', '/api/v1/nodes/a')).body.spec.taints).toBeUndefined();
  await node('PATCH', '/api/v1/nodes/a/status', { spec: { taints }, status: {} }, merge);
  expect((await admin('GET', '/api/v1/nodes/a')).body.spec.taints).toBeUndefined();
});
