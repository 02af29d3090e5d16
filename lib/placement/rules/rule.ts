import type { FilterRuleName, ScoreRuleName } from '../placement.ts';
import type { NodeState, PodState, World } from '../world/index.ts';
import type { AskedPod } from './asked-pod.ts';

/** A rule that refuses nodes. */
export interface FilterRule {
  readonly name: FilterRuleName;
  /** Looks once at the pod and the world. Undefined where the rule has nothing against any node. */
  prepare(asked: AskedPod, world: World): PreparedFilter | undefined;
}

export interface PreparedFilter {
  /**
   * Why a node is refused; undefined where it is not.
   * @param promised pods that are taken as if they were on the node
   */
  refuse(node: NodeState, promised: readonly PodState[]): readonly string[] | undefined;
  /** The only nodes that are looked at, by name. */
  readonly only?: ReadonlySet<string>;
  /** Why no node will do, whatever the nodes are. */
  readonly refusesAll?: string;
}

/** A rule that compares nodes. */
export interface ScoreRule {
  readonly name: ScoreRuleName;
  readonly weight: number;
  /** 0 to 100 for each node, by its place in the list. Undefined where the rule has nothing to say. */
  score(asked: AskedPod, world: World, nodes: readonly NodeState[]): Float64Array | undefined;
}

export const MOST_SCORE = 100;
