/** The end of objects: owners that go, dependents that are left, and time that is over. */
export { type CollectMessage, collect } from './collect.ts';
export type { CollectOptions } from './collect-options.ts';
export { expiryOf } from './expiry-of.ts';
export { protectionOf } from './protected-collections.ts';
export { removalOf } from './removal.ts';
