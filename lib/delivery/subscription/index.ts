/** The fields of a Subscription or a Tally, its state row and its status. */
export { accountOfArn } from './account-of-arn.ts';
export { whenItEnds, whyHeld } from './author-conditions.ts';
export { explained } from './explained.ts';
export { followingOf } from './following.ts';
export { messageGroup } from './message-group.ts';
export { accessOf, accessPolicy, type Receivers } from './queue-access.ts';
export { readStates, readStatesAs } from './read-states.ts';
export { scopedOf, scopeIn } from './scoped-of.ts';
export { namespaceSelectorOf, type SelectedNamespaces, selectNamespaces } from './select-namespaces.ts';
export { selectedFrom } from './selected-from.ts';
export { selectingBytes, selectingHeap } from './selecting-size.ts';
export {
  chosen,
  filterOf,
  interestOf,
  isUnion,
  namespacesOf,
  printScope,
  type Selection,
  selection,
  selectorOf,
} from './selection.ts';
export { isOther, selectsOthers } from './selects-others.ts';
export { noSuchAccount, serviceAccountOf } from './service-account-of.ts';
export { sinceWhen } from './since-when.ts';
export { isHeld, parseStanding, printStanding, type Standing } from './standing.ts';
export {
  backoff,
  beforeEdit,
  type FirstRowGiven,
  firstRow,
  parseState,
  restarted,
  type SubscriptionState,
  sinceStored,
  stateKey,
  updateState,
} from './subscription-state.ts';
export {
  arnOfQueue,
  type Phase,
  type StatusOptions,
  writeSubscriptionStatus,
} from './subscription-status.ts';
export { whySuspended, withinLimitsOf } from './within-limits.ts';
