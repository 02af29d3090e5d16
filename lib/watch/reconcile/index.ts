/** What makes and looks after queues: snapshots, catching up, namespaces' ends, compaction, the minute's tick. */

export { createReconciler, type Reconciler, type ReconcilerOptions } from './reconcile.ts';
export type { DefinitionStatuses } from './reconcile-definition.ts';
