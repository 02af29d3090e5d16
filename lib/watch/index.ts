export { createDispatcher, type Dispatcher, type DispatchOptions } from './dispatch.ts';
export { createHints, type Hints } from './hints.ts';
export { LeaseHeldError } from './lease.ts';
export type { Hint, ReconcileMessage } from './messages.ts';
export { QueueGoneError, type QueueMessage, type QueueOptions, type Queues } from './queues.ts';
export type { Receipts } from './receipts.ts';
export { createReconciler, type Reconciler, type ReconcilerOptions } from './reconcile.ts';
export { type InsertedKey, relay } from './relay.ts';
export {
  prepareSubscription,
  SUBSCRIPTIONS,
  type TargetResource,
  type TargetResources,
  validateSubscription,
} from './subscription.ts';
export { withPosition } from './subscription-status.ts';
export { type TakeOverOptions, takeOver } from './take-over.ts';
export { type Filter, type ObjectEvent, transition } from './transition.ts';
export { createWatches, type WatchEvent, type Watches, type WatchRequest } from './watches.ts';
