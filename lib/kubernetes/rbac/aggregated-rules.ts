import { fromLabelSelector } from '../../selectors/index.ts';
import type { ClusterRole, PolicyRule } from './objects.ts';
import type { Policy } from './policy.ts';

/**
 * Returns the rules of an aggregated cluster role: those of all roles that its selectors match, each once. Undefined
 * if the role defines its own rules.
 *
 * @throws SelectorError if one of its selectors is invalid
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
export function aggregatedRules(policy: Policy, role: ClusterRole): PolicyRule[] | undefined {
  const { aggregationRule, metadata } = role;
  if (aggregationRule === undefined) return undefined;
  const rules = new Map<string, PolicyRule>();
  for (const labelSelector of aggregationRule.clusterRoleSelectors ?? []) {
    const selector = fromLabelSelector(labelSelector);
    for (const other of policy.clusterRoles) {
      if (other.metadata.name === metadata.name || !selector.matches(other.metadata.labels ?? {})) continue;
      for (const rule of other.rules ?? []) rules.set(sameText(rule), rules.get(sameText(rule)) ?? rule);
    }
  }
  return [...rules.values()];
}

/** Returns the same text for equal rules. Empty and absent lists count as equal. */
function sameText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return JSON.stringify([
    verbs,
    apiGroups ?? [],
    resources ?? [],
    resourceNames ?? [],
    nonResourceURLs ?? [],
  ]);
}
