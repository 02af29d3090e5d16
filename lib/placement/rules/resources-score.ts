import {
  type Amount,
  minus,
  type NodeState,
  nonZeroOf,
  plus,
  podRequests,
  resourcesOf,
} from '../world/index.ts';
import { MOST_SCORE, type ScoreRule } from './rule.ts';
import { scoreEach } from './score-each.ts';

/** The highest capacity for which a hundred times the capacity is an exact number. */
const MOST_CAPACITY = Math.floor(Number.MAX_SAFE_INTEGER / MOST_SCORE);

/**
 * Scores a node higher the more of its cpu and memory stays free. A container without requests counts with assumed
 * ones.
 */
export const leastAllocated: ScoreRule = {
  name: 'NodeResourcesFit',
  weight: 1,
  score({ pod }, _world, nodes) {
    // As in kube-scheduler, only this rule ignores pods that are being resized.
    const { cpu, memory } = nonZeroOf(pod, { useStatus: false });
    return scoreEach(nodes, (node) => {
      const ofCpu = freePart(plus(node.nonZeroCpu, cpu), node.allocatable.cpu);
      const ofMemory = freePart(plus(node.nonZeroMemory, memory), node.allocatable.memory);
      if (ofCpu === undefined || ofMemory === undefined) return ofCpu ?? ofMemory ?? 0;
      return Math.trunc((ofCpu + ofMemory) / 2);
    });
  },
};

/** Scores a node higher the closer the used fractions of its cpu and its memory are. */
export const balancedAllocation: ScoreRule = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  score({ pod }, _world, nodes) {
    const { cpu, memory } = resourcesOf(podRequests(pod, { useStatus: true }));
    if (cpu === 0 && memory === 0) return undefined;
    return scoreEach(nodes, ({ requested, allocatable }: NodeState) => {
      const ofCpu = usedPart(plus(requested.cpu, cpu), allocatable.cpu);
      const ofMemory = usedPart(plus(requested.memory, memory), allocatable.memory);
      const apart = ofCpu === undefined || ofMemory === undefined ? 0 : Math.abs((ofCpu - ofMemory) / 2);
      return Math.trunc((1 - apart) * MOST_SCORE);
    });
  },
};

/** Returns the free hundredths of a capacity, rounded down; undefined for a capacity of 0. */
function freePart(requested: Amount, capacity: Amount): number | undefined {
  if (capacity === 0) return undefined;
  if (requested > capacity) return 0;
  const free = minus(capacity, requested);
  if (typeof free === 'number' && typeof capacity === 'number' && capacity <= MOST_CAPACITY) {
    return Math.trunc((free * MOST_SCORE) / capacity);
  }
  return Number(BigInt.asIntN(64, BigInt(free) * BigInt(MOST_SCORE)) / BigInt(capacity));
}

/** Returns the used fraction of a capacity, at most 1; undefined for a capacity of 0. */
function usedPart(requested: Amount, capacity: Amount): number | undefined {
  return capacity === 0 ? undefined : Math.min(1, Number(requested) / Number(capacity));
}
