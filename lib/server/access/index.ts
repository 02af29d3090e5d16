/** Authorization: roles, bindings and grants decide every request of callers outside `system:masters`. */
export { accountStore } from './account-store.ts';
export { aggregatingStore } from './aggregating-store.ts';
export { attributesOf } from './attributes-of.ts';
export { authorOf, writerOf } from './author.ts';
export { authorWarnings } from './author-warnings.ts';
export { authoredStore } from './authored-store.ts';
export { BOOTSTRAP_ROLES } from './bootstrap-roles.ts';
export { decide } from './decide.ts';
export { ensureRoles } from './ensure-roles.ts';
export { entryStore, reservedByEntry } from './entry-store.ts';
export { forbiddenAccess } from './forbidden-access.ts';
export { guardedStore } from './guarded-store.ts';
export { judgeAccess, judgeRules, nodeInReview } from './judge-access.ts';
export type { Permission } from './permission.ts';
export { labelsOf, refuseOutside } from './refuse-outside.ts';
export { type Admitted, type AuthorizationRequest, RequestAuthorizer } from './request-authorizer.ts';
export type { VisibleScopes } from './visible-scopes.ts';
