/** LIST: candidates of the requirements in name order, their rows, and the journal laid over them. */
export { listObjects } from './list-objects.ts';
export { loadLabels } from './load-labels.ts';
