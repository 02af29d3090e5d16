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

/** Recorded by test/conformance/rbac, which compares far more policies where Go is. */
describe('The recorded decisions of Kubernetes’ RBAC on generated policies', () => {
  it('Winnow makes the same decisions', () => {
    expect(recorded.length).toBeGreaterThan(30);
    for (const { world, answers } of recorded) expect(answersOf(world)).toEqual(answers);
  });

  it('A policy that changed makes the same decisions', () => {
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

/** Some objects occur twice, or never existed: neither matters. */
function remove(told: WorldPolicy, policy: Policy): void {
  for (const { metadata } of told.roleBindings) policy.delete('RoleBinding', metadata);
  for (const { metadata } of told.clusterRoleBindings) policy.delete('ClusterRoleBinding', metadata);
  for (const { metadata } of told.roles) policy.delete('Role', metadata);
  for (const { metadata } of told.clusterRoles) policy.delete('ClusterRole', metadata);
  policy.delete('RoleBinding', { namespace: 'nowhere', name: 'none' });
}

describe('A policy of roles and bindings', () => {
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

  it('A binding gives the permissions of its role once the role exists, and none when either is gone', () => {
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
describe('a role that is made of others', () => {
  const rules = [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['services', 'pods'] }];
  const aggregate = { 'rbac.example.com/aggregate-to-monitoring': 'true' };
  const monitoring: ClusterRole = {
    metadata: { name: 'monitoring', labels: aggregate },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregate }, {}] },
    rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  };

  it('The role has the rules of all selected roles, each once, and none of its own', () => {
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
