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

/** Beyond, a hundred times the capacity is no exact number. */
const MOST_CAPACITY = Math.floor(Number.MAX_SAFE_INTEGER / MOST_SCORE);

/** The more of its cpu and memory is left on a node, the better. A container that asks for nothing counts as well. */
export const leastAllocated: ScoreRule = {
  name: 'NodeResourcesFit',
  weight: 1,
  score({ pod }, _world, nodes) {
    // As kube-scheduler has it: this rule alone does not see what is being resized.
    const { cpu, memory } = nonZeroOf(pod, { useStatus: false });
    return scoreEach(nodes, (node) => {
      const ofCpu = freePart(plus(node.nonZeroCpu, cpu), node.allocatable.cpu);
      const ofMemory = freePart(plus(node.nonZeroMemory, memory), node.allocatable.memory);
      if (ofCpu === undefined || ofMemory === undefined) return ofCpu ?? ofMemory ?? 0;
      return Math.trunc((ofCpu + ofMemory) / 2);
    });
  },
};

/** The closer the parts of its cpu and its memory are that would be used on a node, the better. */
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

/** The hundredths of a capacity that are free, rounded down; undefined of a node that has none of it. */
function freePart(requested: Amount, capacity: Amount): number | undefined {
  if (capacity === 0) return undefined;
  if (requested > capacity) return 0;
  const free = minus(capacity, requested);
  if (typeof free === 'number' && typeof capacity === 'number' && capacity <= MOST_CAPACITY) {
    return Math.trunc((free * MOST_SCORE) / capacity);
  }
  return Number(BigInt.asIntN(64, BigInt(free) * BigInt(MOST_SCORE)) / BigInt(capacity));
}

/** The part of a capacity that would be used, at most 1; undefined of a node that has none of it. */
function usedPart(requested: Amount, capacity: Amount): number | undefined {
  return capacity === 0 ? undefined : Math.min(1, Number(requested) / Number(capacity));
}
