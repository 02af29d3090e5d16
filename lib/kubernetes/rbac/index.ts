/**
 * Kubernetes' roles and bindings (rbac.authorization.k8s.io/v1): decisions and their reasons, escalation checks and
 * aggregated roles. Also the scopes of users that have only grants (winnow.dev/v1). Pure: only the selectors of
 * Kubernetes are imported.
 */
export type { Access, ResourceAccess, User } from './access.ts';
export { aggregateRoles } from './aggregate-roles.ts';
export { aggregatedRules } from './aggregated-rules.ts';
export { authorize, type Decision, type PRIVILEGED_GROUP, rulesFor } from './authorize.ts';
export { escalation } from './escalation.ts';
export { nodeNameOf } from './node-name.ts';
export type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyKinds,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from './objects.ts';
export { type GrantOver, Policy } from './policy.ts';
export { ruleAllows } from './rule-allows.ts';
export { Scope } from './scope.ts';
