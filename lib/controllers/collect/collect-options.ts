import type { Hints, Queues } from '../../coordination/index.ts';
import type { TargetResources } from '../../kubernetes/winnow/index.ts';
import type { Clock, Logger, Metrics, Random } from '../../platform/index.ts';
import type { Store, Table } from '../../store/index.ts';

export interface CollectOptions {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly reconcileQueueUrl: string;
  readonly resources: TargetResources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}
