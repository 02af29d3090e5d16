import { Recording } from '../harness/recording.ts';
import type { Cluster } from './clusters.ts';
import type { Answer } from './our-answer.ts';

/** A cluster, and the answers of kube-scheduler 1.33.2 for its pods. */
export interface Recorded {
  readonly cluster: Cluster;
  readonly answers: readonly Answer[];
}

export const recording = new Recording<Recorded>('placement');
