import type {
  ChangeMapper,
  Cursor,
  Following,
  Hint,
  Hints,
  Queues,
  ReconcileRequests,
} from '../../coordination/index.ts';
import type { TargetResource, TargetResources } from '../../kubernetes/winnow/index.ts';
import type { Clock, Logger, Metrics } from '../../platform/index.ts';
import type { Store, Table } from '../../store/index.ts';
import type { Authority } from '../authority/index.ts';
import type { KnownStates } from './known-states.ts';
import type { SendGate } from './send-gate.ts';
import type { MemberIndexes } from './subscription-indexes.ts';

/** The dependencies of a round. */
export interface DispatchContext extends Following {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly resources: TargetResources;
  /** The permissions of authors. */
  readonly authority: Authority;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** The mapper from changes to derived data, and the queue that wakes the deriver; absent if nothing is derived. */
  readonly deriving?: { readonly concerns: ChangeMapper; readonly queueUrl: string } | undefined;
}

/** The limits of a shard for one dispatcher. */
export interface Load {
  /** The most subscriptions. */
  readonly most: number;
  /** The most bytes of heap for their selectors ({@link selectingHeap}). */
  readonly heap: number;
  /** Whether the sends of the last round took long. */
  isLong: boolean;
}

export interface Round extends DispatchContext {
  readonly indexes: MemberIndexes;
  readonly known: KnownStates;
  readonly cursor: Cursor;
  readonly target: TargetResource;
  /** The shard's first bucket. */
  readonly group: number;
  /**
   * The most subscriptions that one round activates. The others wait for the next round, so that synced subscriptions
   * do not wait.
   */
  readonly admissions: number;
  readonly load: Load;
  readonly gate: SendGate;
  readonly hint: Hint;
  /** The last allotted resourceVersion, if it was read since the hint arrived. */
  readonly head: number | undefined;
  readonly holder: string;
  readonly deadline: AbortSignal;
  readonly notices: ReconcileRequests;
  /** How many messages led to the messages that the round sends. */
  readonly hops: number;
}
