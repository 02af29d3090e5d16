import {
  type Amount,
  minus,
  type NodeState,
  type PodState,
  plus,
  podRequests,
  type Resources,
  resourcesOf,
} from '../world/index.ts';
import type { FilterRule } from './rule.ts';

const TOO_MANY_PODS = 'Too many pods';

/** Refuses nodes without room for the pod's requests: the number of pods, cpu, memory and other counted resources. */
export const resourcesFilter: FilterRule = {
  name: 'NodeResourcesFit',
  prepare({ pod }) {
    const wanted = wantedOf(resourcesOf(podRequests(pod, { useStatus: false })));
    return {
      refuse(node, promised) {
        const isFull = node.podCount + promised.length + 1 > node.allocatable.pods;
        if (!isFull && !wanted.some((resource) => isShort(resource, node, promised))) return undefined;
        const short = wanted.filter((resource) => isShort(resource, node, promised));
        const reasons = short.map(({ name }) => `Insufficient ${name}`);
        return isFull ? [TOO_MANY_PODS, ...reasons] : reasons;
      },
    };
  },
};

/** A resource that the pod requests. */
interface Wanted {
  readonly name: string;
  readonly amount: Amount;
  of(resources: Resources): Amount;
}

function wantedOf(requests: Resources): readonly Wanted[] {
  const counted: Wanted[] = [
    { name: 'cpu', amount: requests.cpu, of: ({ cpu }) => cpu },
    { name: 'memory', amount: requests.memory, of: ({ memory }) => memory },
    {
      name: 'ephemeral-storage',
      amount: requests.ephemeralStorage,
      of: ({ ephemeralStorage }) => ephemeralStorage,
    },
    ...[...requests.scalars]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, amount]) => ({ name, amount, of: ({ scalars }: Resources) => scalars.get(name) ?? 0 })),
  ];
  return counted.filter(({ amount }) => amount > 0);
}

function isShort({ amount, of }: Wanted, node: NodeState, promised: readonly PodState[]): boolean {
  let used = of(node.requested);
  for (const { resources } of promised) used = plus(used, of(resources));
  return amount > minus(of(node.allocatable), used);
}
