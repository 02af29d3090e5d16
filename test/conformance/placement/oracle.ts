import { GoOracle } from '../harness/go-oracle.ts';
import type { Cluster } from './clusters.ts';
import type { Answer } from './our-answer.ts';

const ORACLE = new GoOracle('placement');

/** Builds the program that runs kube-scheduler's framework, which takes ten minutes the first time. */
export function buildOracle(): void {
  ORACLE.build();
}

/** Returns kube-scheduler's answers for the pods of each cluster. */
export function askOracle(clusters: readonly Cluster[]): (readonly Answer[])[] {
  return ORACLE.ask(clusters) as Answer[][];
}
