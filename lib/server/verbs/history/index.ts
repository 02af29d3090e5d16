/** The changes of an object, and of a collection. Loaded when needed. */
export { getHistory } from './get-history.ts';
export { listHistories } from './list-histories.ts';
