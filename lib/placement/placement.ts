/** The rules that may refuse a node, in the order in which they are asked. Names are those of kube-scheduler's plugins. */
export type FilterRuleName =
  | 'NodeUnschedulable'
  | 'NodeName'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'PodTopologySpread'
  | 'InterPodAffinity';

/** The rules that compare nodes. */
export type ScoreRuleName =
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodeResourcesFit'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'NodeResourcesBalancedAllocation'
  | 'ImageLocality';

/** Where a pod may go, in which order, and why not elsewhere. */
export interface Placement {
  /** The first of `feasible`, without the cost of ordering the others. */
  readonly best: FeasibleNode | undefined;
  /** The best first. Of equals that which a hash of pod and node puts first. Made when it is read first. */
  readonly feasible: readonly FeasibleNode[];
  /** By name. */
  readonly refused: readonly RefusedNode[];
  /**
   * What kube-scheduler says of a pod that it cannot place, without what it says of preemption: `0/3 nodes are
   * available: …`. Empty where there is a feasible node.
   */
  readonly message: string;
}

export interface FeasibleNode {
  readonly node: string;
  /** The sum of `scores`. */
  readonly score: number;
  /** 0 to 100 times its weight for each rule that has something to say of this pod. */
  readonly scores: Readonly<Partial<Record<ScoreRuleName, number>>>;
}

export interface RefusedNode {
  readonly node: string;
  /** The first that refused it. */
  readonly rule: FilterRuleName;
  /** In kube-scheduler's words. More than one only of `NodeResourcesFit`: each resource that is short. */
  readonly reasons: readonly string[];
}
