export {
  type Author,
  type Authored,
  type Authority,
  authorIn,
  isSameAuthor,
  type Writer,
  writerIn,
} from './authority/index.ts';
export { removalOf } from './collect/index.ts';
export {
  type Concerns,
  createDeriver,
  type Derivation,
  type Derived,
  type Deriver,
  type DerivingStore,
  type DueMessage,
  type Owed,
  type Subject,
  TooEarlyError,
  type Versions,
} from './deriving/index.ts';
export { createDispatcher, type Dispatcher } from './dispatch/index.ts';
export { raiseEvent } from './events/index.ts';
export { HintSample } from './hint-sample.ts';
export { createHints, type Hints } from './hints.ts';
export type { Inbox, Received } from './inbox.ts';
export type { Hint, ReconcileMessage } from './internal-messages.ts';
export { readKnown, readPath, withTargets } from './known-resources.ts';
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
export { QueueGoneError, type QueueMessage, type Queues } from './queues.ts';
export type { Receipts } from './receipts.ts';
export { createReconciler, type DefinitionStatuses, type Reconciler } from './reconcile/index.ts';
export { type InsertedKey, relay } from './relay.ts';
export { restartSubscriptions } from './restart-subscriptions.ts';
export {
  noSuchAccount,
  printScope,
  printStanding,
  type Standing,
  serviceAccountOf,
} from './subscription/index.ts';
export { withProgress } from './subscription-progress.ts';
export { type CarryingKind, type SweepOptions, sweepCarriers } from './sweeps/index.ts';
export { type TakeOverOptions, takeOver } from './take-over.ts';
export { type BindMessage, wakeBinder } from './wake-binder.ts';
export { within } from './within.ts';
