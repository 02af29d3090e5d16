export { expiryOf, protectionOf } from './collect/index.ts';
export { createDispatcher, type Dispatcher, type DispatchOptions } from './dispatch/index.ts';
export { HintSample } from './hint-sample.ts';
export { createHints, type Hints } from './hints.ts';
export type { Hint, ReconcileMessage } from './internal-messages.ts';
export { type KnownResources, readKnown, readPath, withTargets } from './known-resources.ts';
export { LeaseHeldError } from './lease.ts';
export { CLEANUP_FINALIZER, DEFINITIONS, NAMESPACES, SUBSCRIPTIONS } from './own-collections.ts';
export { QueueGoneError, type QueueMessage, type QueueOptions, type Queues } from './queues.ts';
export type { Receipts } from './receipts.ts';
export {
  createReconciler,
  type DefinitionStatuses,
  type Reconciler,
  type ReconcilerOptions,
} from './reconcile/index.ts';
export { type InsertedKey, type RelayOptions, relay } from './relay.ts';
export {
  prepareSubscription,
  type TargetResource,
  type TargetResources,
  validateSubscription,
} from './subscription.ts';
export { withProgress } from './subscription-progress.ts';
export { type TakeOverOptions, takeOver } from './take-over.ts';
export { type Filter, type ObjectEvent, transition } from './transition.ts';
export { createWatches, type WatchEvent, type Watches, type WatchRequest } from './watches.ts';
