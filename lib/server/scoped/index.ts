/**
 * The store and the watches of callers with limited access: a verb reads, writes and watches only objects in the
 * scope.
 */
export { scopedView } from './scoped-view.ts';
