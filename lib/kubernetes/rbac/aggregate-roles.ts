import { SelectorError } from '../../selectors/index.ts';
import { aggregatedRules } from './aggregated-rules.ts';
import type { ClusterRole, PolicyRule } from './objects.ts';
import type { Policy } from './policy.ts';

/**
 * Sets the rules of a policy's aggregated cluster roles and returns these roles. Their previous rules are discarded,
 * so two roles that aggregate each other cannot keep a rule alive. A role with an invalid selector has no rules.
 */
export function aggregateRoles(policy: Policy): readonly ClusterRole[] {
  const made = policy.clusterRoles.filter(({ aggregationRule }) => aggregationRule !== undefined);
  let roles = made.map((role) => ({ ...role, rules: [] as readonly PolicyRule[] }));
  for (const role of roles) policy.set('ClusterRole', role);
  // Each round propagates rules through one more role. Rules only grow, so the loop ends.
  for (let grown = true; grown; ) {
    grown = false;
    roles = roles.map((role) => {
      const rules = rulesOf(policy, role);
      if (rules.length === role.rules.length) return role;
      grown = true;
      const next = { ...role, rules };
      policy.set('ClusterRole', next);
      return next;
    });
  }
  return roles;
}

function rulesOf(policy: Policy, role: ClusterRole): readonly PolicyRule[] {
  try {
    return aggregatedRules(policy, role) ?? [];
  } catch (error) {
    if (error instanceof SelectorError) return [];
    throw error;
  }
}
