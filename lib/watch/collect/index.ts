/** TODO */
export { releaseOf, removalOf, withoutGrace } from './removal.ts';
