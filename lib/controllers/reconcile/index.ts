/**
 * The reconciler: queues and snapshots of subscriptions, catching up, deletion of namespaces, compaction, and the
 * tick of each minute.
 */
export { measureSetAside, SET_ASIDE_EVERY, type SetAsideOptions } from './measure-set-aside.ts';
export { createReconciler } from './reconcile.ts';
