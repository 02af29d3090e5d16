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
  /** Sends hints about bindings to dispatch. */
  readonly hints: Pick<Hints, 'announce'>;
  /** The scheduler's name: pods with this `spec.schedulerName` are bound. */
  readonly schedulerName: string;
  /** The scheduler profile that the deployment configured. */
  readonly profile?: Profile | undefined;
  /**
   * The policy by which the binder stores the world for processes that start. Undefined: no process stores or reads the
   * world.
   */
  readonly snapshots?: SnapshotPolicy | undefined;
}

export interface BindRequest {
  /** Whether to wait while another binder holds the lease. If false, all pods are left to that binder. */
  readonly waits: boolean;
  /** The time that the invocation has left, in ms. */
  readonly time: number;
}
