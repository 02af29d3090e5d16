import { hashText, mixHashes } from './hash.ts';
import type { FeasibleNode, ScoreRuleName } from './placement.ts';
import { type AskedPod, SCORE_RULES } from './rules/index.ts';
import type { NodeState, World } from './world/index.ts';

/** More than the highest possible sum: 100 times each weight. */
const SCORE_LIMIT = 2 ** 11;
const HASH_LIMIT = 2 ** 21;
const PLACE_LIMIT = 2 ** 21;

interface Scored {
  readonly rule: ScoreRuleName;
  readonly weight: number;
  readonly scores: Float64Array;
}

/** The ranked nodes. The order is computed on first use, because a scheduler reads only the best node. */
export interface Ranking {
  /** The best node; undefined if there is none. */
  readonly best: FeasibleNode | undefined;
  /** All nodes, the best first. */
  all(): FeasibleNode[];
}

export function rankNodes(nodes: readonly NodeState[], asked: AskedPod, world: World): Ranking {
  const scored = SCORE_RULES.flatMap((rule): Scored[] => {
    const scores = rule.score(asked, world, nodes);
    return scores === undefined ? [] : [{ rule: rule.name, weight: rule.weight, scores }];
  });
  const sums = new Float64Array(nodes.length);
  for (const { weight, scores } of scored) {
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + weight * (scores[at] ?? 0);
  }
  const keys = keysOf(nodes, sums, asked);
  const feasible = (key: number) => {
    const at = key % PLACE_LIMIT;
    return feasibleNode(nodes[at]?.name ?? '', at, scored);
  };
  return {
    best: keys.length === 0 ? undefined : feasible(leastOf(keys)),
    all: () => Array.from(keys.toSorted(), feasible),
  };
}

function feasibleNode(node: string, at: number, scored: readonly Scored[]): FeasibleNode {
  const scores: Partial<Record<ScoreRuleName, number>> = {};
  let sum = 0;
  for (const { rule, weight, scores: own } of scored) {
    const score = (own[at] ?? 0) * weight;
    scores[rule] = score;
    sum += score;
  }
  return { node, score: sum, scores };
}

/**
 * Sorts by score, then by hash, then by position. Each key is one number, because numbers sort several times as fast
 * as objects.
 */
function keysOf(nodes: readonly NodeState[], sums: Float64Array, asked: AskedPod): Float64Array {
  const { uid = '', name = '' } = asked.pod.metadata ?? {};
  const own = hashText(uid || `${asked.namespace}/${name}`);
  const keys = new Float64Array(nodes.length);
  let at = 0;
  for (const { hash } of nodes) {
    const behind = SCORE_LIMIT - 1 - (sums[at] ?? 0);
    keys[at] = (behind * HASH_LIMIT + (mixHashes(own, hash) % HASH_LIMIT)) * PLACE_LIMIT + at;
    at += 1;
  }
  return keys;
}

function leastOf(keys: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (const key of keys) if (key < least) least = key;
  return least;
}
