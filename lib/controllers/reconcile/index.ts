/**
 * The reconciler: queues and snapshots of subscriptions, catching up, deletion of namespaces, compaction, and the
 * tick of each minute.
 */
export { SET_ASIDE_EVERY, type SetAsideOptions, setAsideMeter } from './measure-set-aside.ts';
export { whileDue } from './quiet-times.ts';
export { createReconciler } from './reconcile.ts';
