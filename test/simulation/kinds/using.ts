import type { Cluster } from '../actors/cluster.ts';
import type { Ask } from '../api/index.ts';
import type { KindRecord } from './kind-record.ts';

/** The shared dependencies of clients of custom kinds. */
export interface Using {
  readonly cluster: Cluster;
  readonly ask: Ask;
  readonly record: KindRecord;
}
