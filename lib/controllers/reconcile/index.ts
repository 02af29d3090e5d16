/** What makes and looks after queues: snapshots, catching up, namespaces' ends, compaction, the minute's tick. */
export { createReconciler } from './reconcile.ts';
