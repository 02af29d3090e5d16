/** The work on one Subscription or Tally: its queue, its snapshot, its differences and its status. */
export { everyObject } from './every-object.ts';
export { reconcileLabels } from './reconcile-labels.ts';
export { type ReconcileOptions, reconcileSubscription } from './reconcile-subscription.ts';
export { isUnderWay, whyWaiting } from './why-waiting.ts';
