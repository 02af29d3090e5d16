import {
  authorize,
  type Decision,
  escalation,
  Policy,
  type PolicyRule,
  rulesFor,
} from '../../../lib/kubernetes/rbac/index.ts';
import type { World, WorldPolicy } from './worlds.ts';

/** The answers for a world. */
export interface Answers {
  readonly decisions: readonly Decision[];
  /** For each request: all rules of its user at its place. */
  readonly rules: readonly (readonly PolicyRule[])[];
  /** For each grant: why the user must not give these rules; `''` if it may. */
  readonly escalations: readonly string[];
}

export function answersOf({ policy: told, asked, granted }: World, policy = policyOf(told)): Answers {
  return {
    decisions: asked.map(({ user, access }) => authorize(policy, user, access)),
    rules: asked.map(({ user, access }) =>
      rulesFor(policy, user, 'path' in access ? '' : access.namespace).rules.map(spelled),
    ),
    escalations: granted.map(({ user, ...given }) => escalation(policy, user, given) ?? ''),
  };
}

export function policyOf(told: WorldPolicy): Policy {
  const policy = new Policy();
  // Adds the last objects first: the order must not matter.
  for (const role of told.roles.toReversed()) policy.set('Role', role);
  for (const role of told.clusterRoles.toReversed()) policy.set('ClusterRole', role);
  for (const binding of told.roleBindings.toReversed()) policy.set('RoleBinding', binding);
  for (const binding of told.clusterRoleBindings.toReversed()) policy.set('ClusterRoleBinding', binding);
  return policy;
}

/** A rule as Go writes it: in a fixed order, and without empty lists. */
export function spelled(rule: PolicyRule): PolicyRule {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const lists = Object.entries({ apiGroups, resources, resourceNames, nonResourceURLs });
  return { verbs, ...Object.fromEntries(lists.filter(([, values]) => (values ?? []).length > 0)) };
}
