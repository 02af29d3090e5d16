import { SelectorError } from '../../selectors/index.ts';
import { aggregatedRules } from './aggregated-rules.ts';
import type { ClusterRole, PolicyRule } from './objects.ts';
import type { Policy } from './policy.ts';

/**
 * Gives the cluster roles of a policy that are made of others the rules of those, and answers them. What they were said
 * to have before does not count, so no rule stays because two of them are made of each other.
 * One whose selector is none has no rules.
 */
export function aggregateRoles(policy: Policy): readonly ClusterRole[] {
  const made = policy.clusterRoles.filter(({ aggregationRule }) => aggregationRule !== undefined);
  let roles = made.map((role) => ({ ...role, rules: [] as readonly PolicyRule[] }));
  for (const role of roles) policy.set('ClusterRole', role);
  // Each round brings rules over one role more; they only grow.
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
