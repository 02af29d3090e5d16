import type { Cluster } from '../actors/cluster.ts';
import type { Ask } from '../api/index.ts';
import type { ClaimRecord } from './claim-record.ts';

/** The shared dependencies of clients that request reservations. */
export interface Claiming {
  readonly cluster: Cluster;
  readonly ask: Ask;
  readonly record: ClaimRecord;
}
