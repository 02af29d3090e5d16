/** The garbage collector: owners that are deleted, dependents that remain, and objects that expire. */

export { collect } from './collect.ts';
export type { CollectOptions } from './collect-options.ts';
