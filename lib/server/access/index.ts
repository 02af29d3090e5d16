/** Authorization: roles, bindings and grants decide every request of callers outside `system:masters`. */
export { attributesOf } from './attributes-of.ts';
export { authorWarnings } from './author-warnings.ts';
export { BOOTSTRAP_ROLES } from './bootstrap-roles.ts';
export { ensureRoles } from './ensure-roles.ts';
export { reservedByEntry } from './entry-store.ts';
export { forbiddenAccess } from './forbidden-access.ts';
export { judgeAccess, judgeRules } from './judge-access.ts';
export type { Permission } from './permission.ts';
export { labelsOf, refuseOutside } from './refuse-outside.ts';
export { type Admitted, type AuthorizationRequest, RequestAuthorizer } from './request-authorizer.ts';
export { saveThrough } from './save-through.ts';
export type { VisibleScopes } from './visible-scopes.ts';
