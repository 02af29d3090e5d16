import { quote } from '../../selectors/index.ts';
import type { User } from './access.ts';
import { rulesFor } from './authorize.ts';
import type { PolicyRule } from './objects.ts';
import type { Policy } from './policy.ts';
import { coversPath, holds } from './rule-allows.ts';

/** A rule reduced to a single right: one verb for one type, or for one object of it. */
interface Right {
  readonly verb: string;
  readonly apiGroup: string;
  /** The resource, with its subresource after a slash: `pods/log`. */
  readonly resource: string;
  readonly resourceName: string | undefined;
}

interface PathRight {
  readonly verb: string;
  readonly nonResourceURL: string;
}

/**
 * Returns the reason why a user may not grant rules: the user does not have all of them in the grant's namespace.
 * `''` means the whole cluster. Undefined if the user has all of them. The message names the missing rules in
 * Kubernetes' words.
 *
 * @see
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
export function escalation(
  policy: Policy,
  user: User,
  { namespace, rules }: { readonly namespace: string; readonly rules: readonly PolicyRule[] },
): string | undefined {
  const own = rulesFor(policy, user, namespace);
  const missing = missingRights(own.rules, rules);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compacted(missing).map(showRule))].sort();
  const who = `user ${quote(user.name)} (groups=${quoteAll(user.groups)})`;
  const unresolved = own.error === '' ? '' : `; resolution errors: [${own.error}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unresolved}`;
}

/** Returns the rights in `wanted` that no single rule of `own` has. */
function missingRights(own: readonly PolicyRule[], wanted: readonly PolicyRule[]): (Right | PathRight)[] {
  return wanted.flatMap(rightsOf).filter((right) => !own.some((rule) => covers(rule, right)));
}

function rightsOf(rule: PolicyRule): (Right | PathRight)[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const rights = apiGroups.flatMap((apiGroup) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => names.map((resourceName) => ({ verb, apiGroup, resource, resourceName }))),
    ),
  );
  const paths = nonResourceURLs.flatMap((nonResourceURL) => verbs.map((verb) => ({ verb, nonResourceURL })));
  return [...rights, ...paths];
}

function covers(rule: PolicyRule, right: Right | PathRight): boolean {
  if (!holds(rule.verbs, right.verb)) return false;
  const { resourceNames = [], nonResourceURLs = [] } = rule;
  if ('nonResourceURL' in right) {
    return resourceNames.length === 0 && nonResourceURLs.some((own) => coversPath(own, right.nonResourceURL));
  }
  const { apiGroup, resource, resourceName } = right;
  const isNamed = resourceName !== undefined && resourceNames.includes(resourceName);
  return (
    holds(rule.apiGroups, apiGroup) &&
    coversResource(rule.resources ?? [], resource) &&
    (resourceNames.length === 0 || isNamed)
  );
}

function coversResource(own: readonly string[], resource: string): boolean {
  if (holds(own, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && own.includes(`*${resource.slice(slash)}`);
}

/** Merges rights to the same resource into one rule with several verbs. */
function compacted(rights: readonly (Right | PathRight)[]): PolicyRule[] {
  const paths = rights.flatMap((right) =>
    'nonResourceURL' in right ? [{ verbs: [right.verb], nonResourceURLs: [right.nonResourceURL] }] : [],
  );
  const things = Map.groupBy(
    rights.filter((right): right is Right => 'resource' in right),
    ({ apiGroup, resource, resourceName }) => JSON.stringify([apiGroup, resource, resourceName]),
  );
  const rules = [...things.values()].map((same) => {
    const { apiGroup, resource, resourceName } = same[0] as Right;
    return {
      verbs: same.map(({ verb }) => verb),
      apiGroups: [apiGroup],
      resources: [resource],
      ...(resourceName !== undefined && { resourceNames: [resourceName] }),
    };
  });
  return [...paths, ...rules];
}

function showRule(rule: PolicyRule): string {
  const { apiGroups, resources, nonResourceURLs, resourceNames, verbs } = rule;
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  });
  const told = parts.flatMap(([name, values = []]) =>
    values.length === 0 ? [] : [`${name}:${quoteAll(values)}`],
  );
  return `{${told.join(', ')}}`;
}

/** Formats a list of strings as Go's `%q`. */
function quoteAll(values: readonly string[]): string {
  return `[${values.map(quote).join(' ')}]`;
}
