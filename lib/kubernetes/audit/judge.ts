import type { Access, ResourceAccess } from './access.ts';
import type { GroupResources, Level, Policy, Rule } from './parse-policy.ts';

/** The attributes of a request that rules match. */
export interface Attributes {
  readonly username: string;
  readonly groups: readonly string[];
  readonly access: Access;
}

export interface Verdict {
  readonly level: Level;
  readonly omitStages: ReadonlySet<string>;
  /** Whether `metadata.managedFields` is removed from a logged body. */
  readonly omitManagedFields: boolean;
  /** Whether nothing from the request body may be logged, not even in the reason for a refusal. */
  readonly isSecret: boolean;
}

/** Resources whose request bodies must not appear in a log. For these, no rule logs more than metadata. */
const SECRET: ReadonlySet<string> = new Set([
  '/secrets',
  '/serviceaccounts/token',
  'authentication.k8s.io/tokenreviews',
]);

const NOTHING: Verdict = {
  level: 'None',
  omitStages: new Set(),
  omitManagedFields: false,
  isSecret: false,
};

/**
 * Returns the audit level and options of a request, from the first rule that matches. Follows
 * k8s.io/apiserver/pkg/audit/policy, checker.go.
 */
export function judge(policy: Policy, attributes: Attributes): Verdict {
  const rule = policy.rules.find((one) => matches(one, attributes));
  if (rule === undefined) return NOTHING;
  const isSecret = holdsSecret(attributes.access);
  const level = rule.level === 'Request' && isSecret ? 'Metadata' : rule.level;
  const { omitManagedFields = policy.omitManagedFields } = rule;
  const omitStages = new Set([...policy.omitStages, ...rule.omitStages]);
  return { level, omitStages, omitManagedFields, isSecret };
}

function holdsSecret(access: Access): boolean {
  if ('path' in access) return false;
  return [access.resource, combined(access)].some((one) => SECRET.has(`${access.apiGroup}/${one}`));
}

function matches(rule: Rule, { username, groups, access }: Attributes): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  if (users.length > 0 && !users.includes(username)) return false;
  if (userGroups.length > 0 && !userGroups.some((group) => groups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(access.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) {
    return !('path' in access) && matchesResource(rule, access);
  }
  if (nonResourceURLs.length === 0) return true;
  return 'path' in access && nonResourceURLs.some((url) => matchesPath(url, access.path));
}

function matchesPath(url: string, path: string): boolean {
  return url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
}

function matchesResource({ namespaces, resources }: Rule, access: ResourceAccess): boolean {
  if (namespaces.length > 0 && !namespaces.includes(access.namespace)) return false;
  return resources.length === 0 || resources.some((one) => matchesGroup(one, access));
}

function matchesGroup({ group, resources, resourceNames }: GroupResources, access: ResourceAccess): boolean {
  if (group !== access.apiGroup) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(access.name)) return false;
  const { resource, subresource } = access;
  const own = ['*', combined(access), `${resource}/*`, ...(subresource === '' ? [] : [`*/${subresource}`])];
  return resources.some((one) => own.includes(one));
}

function combined({ resource, subresource }: ResourceAccess): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}
