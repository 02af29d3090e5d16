import { EMPTY_VALUE, type NodeState, type World } from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';
import { MOST_SCORE, type ScoreRule } from '../rule.ts';
import { scoreEach } from '../score-each.ts';
import {
  type Constraint,
  constraintsOf,
  countByNode,
  HOSTNAME,
  hasAllLabels,
  isIncluded,
} from './constraints.ts';

const IGNORED = -1;

/** Scores a node higher the fewer pods its domains have. */
export const spreadScore: ScoreRule = {
  name: 'PodTopologySpread',
  weight: 2,
  score(asked, world, nodes) {
    const constraints = constraintsOf(asked, world, 'ScheduleAnyway');
    if (constraints.length === 0) return undefined;
    // With the default constraints, a node without a label is in the domain of the empty value.
    const needsLabels = (asked.spec.topologySpreadConstraints ?? []).length > 0;
    const counted = needsLabels ? nodes.filter((node) => hasAllLabels(node, constraints)) : nodes;
    const spread = new Spread({ asked, world, constraints, counted, needsLabels });
    const isCounted = new Set(needsLabels ? counted : []);
    return turnRound(
      scoreEach(nodes, (node) => (needsLabels && !isCounted.has(node) ? IGNORED : spread.scoreOf(node))),
    );
  },
};

interface Scoring {
  readonly asked: AskedPod;
  readonly world: World;
  readonly constraints: readonly Constraint[];
  /** The nodes to score. Only their domains count. */
  readonly counted: readonly NodeState[];
  readonly needsLabels: boolean;
}

interface Weighed extends Constraint {
  /** The number of matching pods: by slot for hosts, by value for other labels. */
  readonly counts: Float64Array;
  /** The weight of a pod, which grows with the number of domains. */
  readonly weight: number;
}

/** The counts of each constraint. */
class Spread {
  readonly #weighed: readonly Weighed[];

  constructor(given: Scoring) {
    this.#weighed = given.constraints.map((constraint) => weigh(constraint, given));
  }

  scoreOf(node: NodeState): number {
    let score = 0;
    for (const { topology, counts, weight, maxSkew } of this.#weighed) {
      const id = topology.idOf(node);
      if (id < 0) continue;
      const count = counts[topology.key === HOSTNAME ? node.slot : id] ?? 0;
      score += count * weight + (maxSkew - 1);
    }
    return Math.round(score);
  }
}

function weigh(constraint: Constraint, given: Scoring): Weighed {
  const { topology, matcher } = constraint;
  const byNode = countByNode(matcher, given.asked, given.world);
  if (topology.key === HOSTNAME) {
    return { ...constraint, counts: byNode, weight: weightOf(given.counted.length) };
  }
  const isDomain = new Uint8Array(topology.size);
  let domains = 0;
  for (const node of given.counted) {
    const id = domainOf(node, constraint);
    domains += isDomain[id] === 1 ? 0 : 1;
    isDomain[id] = 1;
  }
  const counts = topology.counts();
  for (const node of given.world.nodes.present) {
    const count = byNode[node.slot] ?? 0;
    if (count === 0 || (given.needsLabels && !hasAllLabels(node, given.constraints))) continue;
    const id = domainOf(node, constraint);
    if (isDomain[id] !== 1 || !isIncluded(node, constraint, given.asked)) continue;
    counts[id] = (counts[id] ?? 0) + count;
  }
  return { ...constraint, counts, weight: weightOf(domains) };
}

function domainOf(node: NodeState, { topology }: Constraint): number {
  return Math.max(topology.idOf(node), EMPTY_VALUE);
}

function weightOf(domains: number): number {
  return Math.log(domains + 2);
}

/** Inverts and scales the counts: the lowest becomes 100 or less. Changes the array. */
function turnRound(scores: Float64Array): Float64Array {
  let least = Number.MAX_SAFE_INTEGER;
  let most = 0;
  for (const score of scores) {
    if (score === IGNORED) continue;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  return scores.map((score) => {
    if (score === IGNORED) return 0;
    return most === 0 ? MOST_SCORE : Math.trunc((MOST_SCORE * (most + least - score)) / most);
  });
}
