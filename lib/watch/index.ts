export {
  type Author,
  type Authored,
  type Authority,
  authorIn,
  isSameAuthor,
  type VerdictOf,
  type Writer,
  writerIn,
} from './authority/index.ts';
export { expiryOf, protectionOf, removalOf } from './collect/index.ts';
export {
  type Concerns,
  createDeriver,
  type Derivation,
  type Derived,
  type Deriver,
  type DeriverOptions,
  type DerivingStore,
  type DueMessage,
  type Owed,
  type Subject,
  TooEarlyError,
  type Versions,
} from './deriving/index.ts';
export { createDispatcher, type Dispatcher, type DispatchOptions } from './dispatch/index.ts';
export { COMPONENTS, type Happening, raiseEvent } from './events/index.ts';
export { HintSample } from './hint-sample.ts';
export { createHints, type Hints } from './hints.ts';
export type { Inbox, Received } from './inbox.ts';
export type { Hint, ReconcileMessage } from './internal-messages.ts';
export { type KnownResources, readKnown, readPath, withTargets } from './known-resources.ts';
export { acquireLease, LeaseHeldError, type LeaseOptions, releaseLease, waitForLease } from './lease.ts';
export {
  defaultRules,
  readSelectedBytes,
  ruleErrors,
  type Subscribing,
  type SubscribingRules,
  selectorsSize,
} from './limits/index.ts';
export { loadSubscriptions } from './load-subscriptions.ts';
export {
  answerWatchRequest,
  createWatchCap,
  type HeldWatch,
  type WatchCap,
} from './open-watches/index.ts';
export { CLEANUP_FINALIZER, DEFINITIONS, NAMESPACES, SUBSCRIPTIONS, TALLIES } from './own-collections.ts';
export { PLACEMENT_COLLECTIONS } from './placement-collections.ts';
export { QueueGoneError, type QueueMessage, type QueueOptions, type Queues } from './queues.ts';
export type { Receipts } from './receipts.ts';
export {
  createReconciler,
  type DefinitionStatuses,
  type Reconciler,
  type ReconcilerOptions,
} from './reconcile/index.ts';
export { type InsertedKey, type RelayOptions, relay } from './relay.ts';
export { type RestartOptions, restartSubscriptions } from './restart-subscriptions.ts';
export {
  noSuchAccount,
  printScope,
  printStanding,
  type Standing,
  serviceAccountOf,
  type TargetResource,
  type TargetResources,
} from './subscription/index.ts';
export { withProgress } from './subscription-progress.ts';
export { type CarryingKind, type SweepOptions, sweepCarriers } from './sweeps/index.ts';
export { type TakeOverOptions, takeOver } from './take-over.ts';
export { type Filter, type ObjectEvent, transition } from './transition.ts';
export { type BindMessage, wakeBinder } from './wake-binder.ts';
export { createWatches, type WatchEvent, type Watches, type WatchRequest } from './watches.ts';
export { within } from './within.ts';
