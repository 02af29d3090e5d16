/**
 * The reconciler: queues and snapshots of subscriptions, catching up, deletion of namespaces, compaction, and the
 * tick of each minute.
 */
export { createReconciler } from './reconcile.ts';
