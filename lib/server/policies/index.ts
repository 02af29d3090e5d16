/**
 * The policies that decide who may do what, cached between requests. They are the identity of IAM principals, roles,
 * bindings and grants, and the delivery scope of each author. Functions that serve no requests load only this folder.
 */
export { readEntry, userOf } from './access-entry.ts';
export { type AuthorityOptions, createAuthority } from './authority.ts';
export { type DeliveryGrant, deliveryScope, whyNotTold } from './delivery-scope.ts';
export { ACCESS_ENTRIES, type Known, PolicyCache } from './policy-cache.ts';
export { accountGroups, accountIn, accountUsername, isOver } from './service-account.ts';
