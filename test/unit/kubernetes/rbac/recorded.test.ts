import { describe, expect, it } from '@jest/globals';
import {
  aggregatedRules,
  authorize,
  type ClusterRole,
  Policy,
} from '../../../../lib/kubernetes/rbac/index.ts';
import { answersOf, policyOf } from '../../../conformance/rbac/our-answer.ts';
import { recording } from '../../../conformance/rbac/recording.ts';
import type { WorldPolicy } from '../../../conformance/rbac/worlds.ts';

const recorded = recording.read();

/** test/conformance/rbac recorded these answers. It compares far more policies, but needs Go. */
describe('the recorded answers of Kubernetes’ RBAC to generated policies', () => {
  it("Winnow's RBAC gives the same answers as Kubernetes", () => {
    expect(recorded.length).toBeGreaterThan(30);
    for (const { world, answers } of recorded) expect(answersOf(world)).toEqual(answers);
  });

  it('a policy that held other objects before gives the same answers', () => {
    for (const [at, { world, answers }] of recorded.entries()) {
      const before = recorded[at - 1]?.world.policy ?? world.policy;
      const policy = policyOf(before);
      remove(before, policy);
      for (const role of world.policy.roles) policy.set('Role', role);
      for (const role of world.policy.clusterRoles) policy.set('ClusterRole', role);
      for (const binding of world.policy.clusterRoleBindings) policy.set('ClusterRoleBinding', binding);
      for (const binding of world.policy.roleBindings) policy.set('RoleBinding', binding);
      expect(answersOf(world, policy)).toEqual(answers);
    }
  });
});

/** Removes all objects from the policy. Some occur twice, and one was never there, which must not matter. */
function remove(told: WorldPolicy, policy: Policy): void {
  for (const { metadata } of told.roleBindings) policy.delete('RoleBinding', metadata);
  for (const { metadata } of told.clusterRoleBindings) policy.delete('ClusterRoleBinding', metadata);
  for (const { metadata } of told.roles) policy.delete('Role', metadata);
  for (const { metadata } of told.clusterRoles) policy.delete('ClusterRole', metadata);
  policy.delete('RoleBinding', { namespace: 'nowhere', name: 'none' });
}

describe('an RBAC policy', () => {
  const jane = { name: 'jane', groups: ['system:authenticated'] };
  const access = {
    verb: 'get',
    apiGroup: '',
    resource: 'pods',
    subresource: '',
    namespace: 'fleet',
    name: '',
  };
  const binding = {
    metadata: { name: 'janes' },
    roleRef: { kind: 'ClusterRole', name: 'viewer' },
    subjects: [{ kind: 'User', name: 'jane' }],
  };

  it("a binding gives its role's permissions while both exist and the binding names the user", () => {
    const policy = new Policy();
    policy.set('ClusterRoleBinding', binding);
    const missing = 'RBAC: clusterrole.rbac.authorization.k8s.io "viewer" not found';
    expect(authorize(policy, jane, access)).toEqual({ allowed: false, reason: missing });
    policy.set('ClusterRole', {
      metadata: { name: 'viewer' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    });
    const reason = 'RBAC: allowed by ClusterRoleBinding "janes" of ClusterRole "viewer" to User "jane"';
    expect(authorize(policy, jane, access)).toEqual({ allowed: true, reason });
    policy.set('ClusterRoleBinding', { ...binding, subjects: [{ kind: 'User', name: 'joe' }] });
    expect(authorize(policy, jane, access)).toEqual({ allowed: false, reason: '' });
  });
});

/** https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles */
describe('an aggregated role', () => {
  const rules = [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['services', 'pods'] }];
  const aggregate = { 'rbac.example.com/aggregate-to-monitoring': 'true' };
  const monitoring: ClusterRole = {
    metadata: { name: 'monitoring', labels: aggregate },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregate }, {}] },
    rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  };

  it('an aggregated role has each rule of the selected roles once, and none of its own', () => {
    const policy = new Policy();
    const other = { ...rules[0], verbs: ['delete'] };
    policy.set('ClusterRole', monitoring);
    policy.set('ClusterRole', { metadata: { name: 'b', labels: aggregate }, rules });
    policy.set('ClusterRole', {
      metadata: { name: 'a', labels: aggregate },
      rules: [{ ...rules[0], verbs: ['get', 'list', 'watch'], resourceNames: [] }, other],
    });
    policy.set('ClusterRole', {
      metadata: { name: 'c' },
      rules: [other, { verbs: ['get'], nonResourceURLs: ['/'] }],
    });
    expect(aggregatedRules(policy, monitoring)).toEqual([
      { ...rules[0], resourceNames: [] },
      other,
      { verbs: ['get'], nonResourceURLs: ['/'] },
    ]);
    expect(aggregatedRules(policy, { metadata: { name: 'b' }, rules })).toBeUndefined();
  });
});
