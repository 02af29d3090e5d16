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
export { createDispatcher, type Dispatcher } from './dispatch/index.ts';
export {
  defaultRules,
  readSelectedBytes,
  ruleErrors,
  type Subscribing,
  type SubscribingRules,
  selectorsSize,
} from './limits/index.ts';
export { loadSubscriptions } from './load-subscriptions.ts';
export { createReconciler, type DefinitionStatuses, type Reconciler } from './reconcile/index.ts';
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
