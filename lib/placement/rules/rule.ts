import type { FilterRuleName, ScoreRuleName } from '../placement.ts';
import type { NodeState, PodState, World } from '../world/index.ts';
import type { AskedPod } from './asked-pod.ts';

/** A rule that refuses nodes. */
export interface FilterRule {
  readonly name: FilterRuleName;
  /** Prepares the rule for a pod and a world. Undefined if the rule refuses no node. */
  prepare(asked: AskedPod, world: World): PreparedFilter | undefined;
}

export interface PreparedFilter {
  /**
   * Returns the reasons to refuse a node; undefined to accept it.
   * @param promised nominated pods that count as if they were on the node
   */
  refuse(node: NodeState, promised: readonly PodState[]): readonly string[] | undefined;
  /** The names of the only nodes to evaluate. */
  readonly only?: ReadonlySet<string>;
  /** The reason that excludes all nodes, independent of the nodes. */
  readonly refusesAll?: string;
}

/** A rule that scores nodes. */
export interface ScoreRule {
  readonly name: ScoreRuleName;
  readonly weight: number;
  /** Returns 0 to 100 for each node, by its position in the list. Undefined if the rule does not apply to the pod. */
  score(asked: AskedPod, world: World, nodes: readonly NodeState[]): Float64Array | undefined;
}

export const MOST_SCORE = 100;
