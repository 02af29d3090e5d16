import type {
  ChangeMapper,
  Cursor,
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

/** What turns need of the outside. */
export interface TurnOptions {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly resources: TargetResources;
  /** The rights of authors. */
  readonly authority: Authority;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** What is derived from objects, and the queue that wakes who derives; absent where nothing is. */
  readonly deriving?: { readonly concerns: ChangeMapper; readonly queueUrl: string } | undefined;
}

/** When a group is too large for one dispatcher. */
export interface Load {
  /** Subscriptions at most. */
  readonly most: number;
  /** Bytes of heap that their selectors may take ({@link selectingHeap}). */
  readonly heap: number;
  /** Whether the last turn's sends took long. */
  isLong: boolean;
}

export interface Turn extends TurnOptions {
  readonly indexes: MemberIndexes;
  readonly known: KnownStates;
  readonly cursor: Cursor;
  readonly target: TargetResource;
  /** The group's first place. */
  readonly group: number;
  /** Subscriptions that one turn admits: the others wait for the next, so that those who are synced do not. */
  readonly admissions: number;
  readonly load: Load;
  readonly gate: SendGate;
  readonly hint: Hint;
  /** The last resourceVersion allotted, where it was read since the hint. */
  readonly head: number | undefined;
  readonly holder: string;
  readonly deadline: AbortSignal;
  readonly notices: ReconcileRequests;
  /** How many messages led to what the turn sends to other functions. */
  readonly hops: number;
}
