/** The rules of kube-scheduler's default profile, except those for volumes, dynamic resources and preemption. */
import { imageLocality } from './image-locality.ts';
import { podAffinityFilter, podAffinityScore } from './inter-pod-affinity/index.ts';
import { affinityFilter, affinityScore } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { resourcesFilter } from './resources-fit.ts';
import { balancedAllocation, leastAllocated } from './resources-score.ts';
import type { FilterRule, ScoreRule } from './rule.ts';
import { taintFilter, taintScore } from './taint-toleration.ts';
import { spreadFilter, spreadScore } from './topology-spread/index.ts';

export { AskedPod } from './asked-pod.ts';
export type { PreparedFilter } from './rule.ts';

/** The filter rules in the order of evaluation. The result names the first rule that refuses a node. */
export const FILTER_RULES: readonly FilterRule[] = [
  nodeUnschedulable,
  nodeName,
  taintFilter,
  affinityFilter,
  nodePorts,
  resourcesFilter,
  spreadFilter,
  podAffinityFilter,
];

export const SCORE_RULES: readonly ScoreRule[] = [
  taintScore,
  affinityScore,
  leastAllocated,
  spreadScore,
  podAffinityScore,
  balancedAllocation,
  imageLocality,
];
