/** The means by which functions hand work to each other: queues, messages, leases, work items and Events. */
export {
  type Cursor,
  type DispatchShard,
  hasNewMembers,
  moveCursor,
  parseCursor,
  readProgress,
} from './cursor.ts';
export {
  type ChangeMapper,
  createDeriver,
  type Derivation,
  type Derived,
  type DerivingStore,
  type DueMessage,
  enqueueChanges,
  type RoundChanges,
  TooEarlyError,
  type Versions,
  type WorkKey,
  type WorkRequest,
} from './deriving/index.ts';
export { recordEvent, takesObjects } from './events/index.ts';
export { type Following, isFollowed, isFollowedByMark } from './followed.ts';
export { HintSample } from './hint-sample.ts';
export { createHints, type Hints } from './hints.ts';
export type { Inbox } from './inbox.ts';
export { type Hint, type ReconcileMessage, reconcileMessage, shardName } from './internal-messages.ts';
export { isTerminating } from './is-terminating.ts';
export {
  findDeclared,
  type KnownResources,
  readKnown,
  readPath,
  withDeclared,
  withTargets,
} from './known-resources.ts';
export { acquireLease, LeaseHeldError, type LeaseOptions, releaseLease, waitForLease } from './lease.ts';
export { type QueueMessage, QueueSlowError, type Queues } from './queues.ts';
export type { Receipts } from './receipts.ts';
export { ReconcileRequests, type ReconcileRequestsOptions } from './reconcile-requests.ts';
export { type InsertedKey, relay } from './relay.ts';
export { bytesAtOnce, MOST_MESSAGES, type SendFailure, type Sent, sendAll, sendInOrder } from './send.ts';
export { timestamp } from './timestamp.ts';
export { type BindMessage, wakeBinder } from './wake-binder.ts';
export { withDeadline } from './with-deadline.ts';
