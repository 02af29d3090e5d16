/** What makes and looks after queues: snapshots, catching up, namespaces' ends, compaction, the minute's tick. */
export type { DefinitionStatuses } from './definition-statuses-contract.ts';
export { createReconciler, type Reconciler } from './reconcile.ts';
