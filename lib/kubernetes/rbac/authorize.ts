import type { Access, ResourceAccess, User } from './access.ts';
import type { PolicyRule } from './objects.ts';
import type { Policy } from './policy.ts';
import { ruleAllows } from './rule-allows.ts';
import type { Scope } from './scope.ts';

/** Members of this group may do everything, whatever the roles say, so an operator cannot lock itself out. */
export const PRIVILEGED_GROUP = 'system:masters';

/**
 * Allowed, of all objects; or denied, and then perhaps scoped: allowed of the objects of `scope`. Code that looks
 * only at `allowed` denies limited access.
 */
export interface Decision {
  readonly allowed: boolean;
  /** Absent where it is allowed, and where no grant gives any of it. */
  readonly scope?: Scope;
  /** In Kubernetes' words: by which binding it is allowed, or which roles were not found. Often empty. */
  readonly reason: string;
}

/** Whether a user may do something. Nothing is denied by a rule: what no rule allows is not allowed. */
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
  // A path has no labels.
  const scoped = 'path' in access ? undefined : scopedBy(policy, user, { access, errors });
  if (scoped !== undefined) return scoped;
  return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregated(errors)}` };
}

interface Undecided {
  readonly access: ResourceAccess;
  /** Those of grants are added. */
  readonly errors: string[];
}

/** The union of what all grants give; undefined where none gives any of it. */
function scopedBy(policy: Policy, user: User, { access, errors }: Undecided): Decision | undefined {
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
  /** Why there may be more: roles that were not found. `''` where there were none. */
  readonly error: string;
}

/**
 * All rules that a user's bindings grant in a namespace; `''` for those of all namespaces. What grants give of some
 * objects is not among it.
 */
export function rulesFor(policy: Policy, user: User, namespace: string): UserRules {
  const grants = [...policy.grants(user, namespace)];
  const errors = grants.flatMap((grant) => ('error' in grant ? [grant.error] : []));
  return {
    rules: grants.flatMap((grant) => ('error' in grant ? [] : grant.rules)),
    error: errors.length === 0 ? '' : aggregated(errors),
  };
}

/** As Go's aggregate of errors: each once. */
function aggregated(errors: readonly string[]): string {
  const different = [...new Set(errors)];
  return different.length === 1 ? String(different[0]) : `[${different.join(', ')}]`;
}
