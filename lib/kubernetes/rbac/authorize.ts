import { goAggregate } from '../field-errors/index.ts';
import type { Access, ResourceAccess, User } from './access.ts';
import type { PolicyRule } from './objects.ts';
import type { Policy } from './policy.ts';
import { ruleAllows } from './rule-allows.ts';
import type { Scope } from './scope.ts';

/**
 * The group whose members may do everything, whatever the roles say. It keeps operators from locking themselves out.
 */
export const PRIVILEGED_GROUP = 'system:masters';

/**
 * An authorization decision: allowed for all objects, or denied. A denial may have a `scope`: access is then allowed
 * for the objects in it. Code that checks only `allowed` denies limited access.
 */
export interface Decision {
  readonly allowed: boolean;
  /** Absent if access is allowed, and if no grant gives any of it. */
  readonly scope?: Scope;
  /**
   * The reason in Kubernetes' words: the binding that allows access, or the roles that were not found. Often empty.
   */
  readonly reason: string;
}

/** Decides whether a user has access. There are no deny rules: access that no rule allows is denied. */
export function authorize(policy: Policy, user: User, access: Access): Decision {
  if (user.groups.includes(PRIVILEGED_GROUP)) return { allowed: true, reason: '' };
  const errors: string[] = [];
  for (const grant of policy.grants(user, 'path' in access ? '' : access.namespace)) {
    if ('error' in grant) {
      errors.push(grant.error);
    } else if (grant.rules.some((rule) => ruleAllows(rule, access))) {
      return { allowed: true, reason: `RBAC: allowed by ${grant.source()}` };
    }
  }
  // Paths have no labels.
  const scoped = 'path' in access ? undefined : scopedBy(policy, user, { access, errors });
  if (scoped !== undefined) return scoped;
  return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${goAggregate(errors)}` };
}

interface Undecided {
  readonly access: ResourceAccess;
  /** The errors so far; those of grants are appended. */
  readonly errors: string[];
}

/** The group of admission rules, and the verbs that do not write them. */
const RULES = 'admissionregistration.k8s.io';
const READS: readonly string[] = ['get', 'list', 'watch'];

/**
 * Returns the union of the scopes of all grants; undefined if no grant gives any of the access. No grant lets its user
 * write admission rules: a policy reads objects beyond the grant, and a webhook receives them.
 */
function scopedBy(policy: Policy, user: User, { access, errors }: Undecided): Decision | undefined {
  if (access.apiGroup === RULES && !READS.includes(access.verb)) return undefined;
  const scopes: Scope[] = [];
  const sources: string[] = [];
  for (const grant of policy.scopedGrants(user, access.namespace)) {
    if ('error' in grant) {
      errors.push(grant.error);
    } else if (grant.rules.some((rule) => ruleAllows(rule, access))) {
      scopes.push(grant.scope);
      sources.push(grant.source());
    }
  }
  if (scopes.length === 0) return undefined;
  const scope = policy.unite(scopes);
  const reason = `RBAC: allowed by ${sources.join(' and ')}, of objects with labels that match ${scope}`;
  return { allowed: false, scope, reason };
}

export interface UserRules {
  readonly rules: readonly PolicyRule[];
  /** Why the list may be incomplete: the roles that were not found. `''` if all roles were found. */
  readonly error: string;
}

/**
 * Returns all rules that a user's bindings grant in a namespace; `''` means the rules for all namespaces. Rules of
 * access grants, which cover only some objects, are not included.
 */
export function rulesFor(policy: Policy, user: User, namespace: string): UserRules {
  const grants = [...policy.grants(user, namespace)];
  const errors = grants.flatMap((grant) => ('error' in grant ? [grant.error] : []));
  return {
    rules: grants.flatMap((grant) => ('error' in grant ? [] : grant.rules)),
    error: errors.length === 0 ? '' : goAggregate(errors),
  };
}
