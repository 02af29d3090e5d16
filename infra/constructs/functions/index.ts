/** The functions, the login and the keys that they need. */
export { auditLogOf } from './audit-log.ts';
export { DataKey } from './data-key.ts';
export { Functions, readTimeout } from './functions.ts';
export { canonical, Login } from './login.ts';
export { pollersWithin, reserveConcurrency } from './reserve-concurrency.ts';
export { ofAllowedAccounts, type SubscribingProps } from './subscribing.ts';
export { WinnowFunction } from './winnow-function.ts';
