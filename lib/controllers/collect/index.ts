/** The end of objects: owners that go, dependents that are left, and time that is over. */

export { collect } from './collect.ts';
export type { CollectOptions } from './collect-options.ts';
