/**
 * What decides who may do what, kept between requests: who an IAM principal is, roles, bindings and grants; and of
 * which objects who wrote a Subscription may have told. Functions that answer no requests load only this.
 */
export { readEntry, userOf } from './access-entry.ts';
export { type AuthorityOptions, createAuthority } from './authority.ts';
export { type DeliveryGrant, deliveryScope, whyNotTold } from './delivery-scope.ts';
export { ACCESS_ENTRIES, type Known, PolicyCache } from './policy-cache.ts';
export { accountGroups, accountIn, accountUsername, isOver, SERVICE_ACCOUNTS } from './service-account.ts';
