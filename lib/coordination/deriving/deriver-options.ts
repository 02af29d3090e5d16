import type { Clock, Logger, Metrics, Random } from '../../platform/index.ts';
import type { Store, Table } from '../../store/index.ts';
import type { Queues } from '../queues.ts';
import type { Derivation } from './derivation.ts';

export interface DeriverOptions {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** The URL of the derive queue. */
  readonly queueUrl: string;
  readonly derivation: Derivation;
}
