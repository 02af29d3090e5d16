export {
  type Author,
  type Authored,
  type Authority,
  authorIn,
  authorsOf,
  beginSeen,
  isSameAuthor,
  ofTally,
  verdictNow,
  type Writer,
  writerIn,
} from './authority/index.ts';
export { isTally, loadTalliesDue, workOf } from './counting/index.ts';
export { createDispatcher, type Dispatcher } from './dispatch/index.ts';
export { type GoOnOptions, goOn } from './go-on.ts';
export { journalLag, type Lagging } from './journal-lag.ts';
export {
  defaultRules,
  readSelectedBytes,
  ruleErrors,
  SELECTOR_FIELDS,
  type Subscribing,
  type SubscribingRules,
  selectorsSize,
} from './limits/index.ts';
export {
  everyObject,
  isUnderWay,
  type ReconcileOptions,
  reconcileLabels,
  reconcileSubscription,
  whyWaiting,
} from './reconcile/index.ts';
export { restartSubscriptions } from './restart-subscriptions.ts';
export { groupsFrom, leastPosition, type ShardCursor, shardOfUid } from './shards/index.ts';
export {
  isHeld,
  noSuchAccount,
  printScope,
  printStanding,
  readStatesAs,
  type Standing,
  type SubscriptionState,
  selectedFrom,
  serviceAccountOf,
} from './subscription/index.ts';
export { withProgress } from './subscription-progress.ts';
export { type TakeOverOptions, takeOver } from './take-over.ts';
