/** LIST: candidates of the requirements in the order of names, their rows, and the journal's changes on top of them. */
export { LONGEST_ROLLBACK, listObjects } from './list-objects.ts';
export { loadLabels } from './load-labels.ts';
