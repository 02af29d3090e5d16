import { fromLabelSelector } from '../../selectors/index.ts';
import type { ClusterRole, PolicyRule } from './objects.ts';
import type { Policy } from './policy.ts';

/**
 * The rules of a cluster role that is made of others: those of all whose labels its selectors select, each once.
 * Undefined for a role that says its rules itself.
 *
 * @throws SelectorError where one of its selectors is none
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

/** Of rules that say the same: what is empty is as if it were absent. */
function sameText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return JSON.stringify([
    verbs,
    apiGroups ?? [],
    resources ?? [],
    resourceNames ?? [],
    nonResourceURLs ?? [],
  ]);
}
