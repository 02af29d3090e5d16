import type { Cluster } from '../actors/cluster.ts';
import type { Ask } from '../api/index.ts';
import type { KindRecord } from './kind-record.ts';

/** What clients of custom kinds have. */
export interface Using {
  readonly cluster: Cluster;
  readonly ask: Ask;
  readonly record: KindRecord;
}
