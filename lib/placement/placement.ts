/**
 * The names of the rules that may refuse a node, in the order of evaluation. They are those of kube-scheduler's
 * plugins.
 */
export type FilterRuleName =
  | 'NodeUnschedulable'
  | 'NodeName'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'PodTopologySpread'
  | 'InterPodAffinity';

/** The names of the rules that score nodes. */
export type ScoreRuleName =
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodeResourcesFit'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'NodeResourcesBalancedAllocation'
  | 'ImageLocality';

/** The result of a placement: the feasible nodes in their order, and the reasons of the refused ones. */
export interface Placement {
  /** The first of `feasible`. Reading it does not sort the other nodes. */
  readonly best: FeasibleNode | undefined;
  /** The feasible nodes, the best first. A hash of pod and node decides between equal scores. Computed on first use. */
  readonly feasible: readonly FeasibleNode[];
  /** The refused nodes, sorted by name. */
  readonly refused: readonly RefusedNode[];
  /**
   * kube-scheduler's message for a pod that fits nowhere, without its part about preemption: `0/3 nodes are
   * available: …`. Empty if a node is feasible.
   */
  readonly message: string;
}

export interface FeasibleNode {
  readonly node: string;
  /** The sum of `scores`. */
  readonly score: number;
  /** The score of each rule that applies to this pod: 0 to 100, times the rule's weight. */
  readonly scores: Readonly<Partial<Record<ScoreRuleName, number>>>;
}

export interface RefusedNode {
  readonly node: string;
  /** The first rule that refused the node. */
  readonly rule: FilterRuleName;
  /**
   * The reasons in kube-scheduler's words. Only `NodeResourcesFit` gives several: one for each insufficient resource.
   */
  readonly reasons: readonly string[];
}
