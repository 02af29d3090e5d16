/** TODO */
export type { DefinitionStatuses } from './definition-statuses-contract.ts';
export { everyObject } from './every-object.ts';
export { reconcileLabels } from './reconcile-labels.ts';
export { type ReconcileOptions, reconcileSubscription } from './reconcile-subscription.ts';
export { isUnderWay, whyWaiting } from './why-waiting.ts';
