import type { Hints } from '../../coordination/index.ts';
import type { Profile } from '../../placement/index.ts';
import type { Clock, Logger, Random } from '../../platform/index.ts';
import type { Store, Table } from '../../store/index.ts';
import type { SnapshotPolicy } from '../world-snapshots/index.ts';

export interface BinderOptions {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** To dispatch, of what was bound. */
  readonly hints: Pick<Hints, 'announce'>;
  /** Whose pods are bound: those that say so in `spec.schedulerName`. */
  readonly schedulerName: string;
  /** What the deployment set of the scheduler's. */
  readonly profile?: Profile | undefined;
  /** When the world is kept for processes that start; undefined: it is not, and none is looked for. */
  readonly snapshots?: SnapshotPolicy | undefined;
}

export interface BindRequest {
  /** Whether to wait for another binder that is at work; who does not leaves all to that one. */
  readonly waits: boolean;
  /** What the invocation has left, in ms. */
  readonly time: number;
}
