/** TODO */
export { releaseOf, removalOf, withoutGrace } from './collect/index.ts';
export type { DefinitionStatuses } from './reconcile/index.ts';
