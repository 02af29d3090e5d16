import type { NodeState, PodState } from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';
import type { FilterRule } from '../rule.ts';
import { type Constraint, constraintsOf, hasAllLabels, isIncluded } from './constraints.ts';
import { countDomains } from './domains.ts';

const TOO_MANY = ["node(s) didn't match pod topology spread constraints"];
const NO_LABEL = ["node(s) didn't match pod topology spread constraints (missing required label)"];

/**
 * Refuses nodes whose domain would have over `maxSkew` more pods than the domain with the fewest.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/
 */
export const spreadFilter: FilterRule = {
  name: 'PodTopologySpread',
  prepare(asked, world) {
    const constraints = constraintsOf(asked, world, 'DoNotSchedule');
    if (constraints.length === 0) return undefined;
    const domains = countDomains(constraints, asked, world);
    const checks = constraints.map((constraint, at) => ({
      constraint,
      counted: domains[at],
      own: constraint.matcher.matches(asked.labels) ? 1 : 0,
    }));
    return {
      refuse(node, promised) {
        const coming = promised.length > 0 && hasAllLabels(node, constraints) ? promised : [];
        for (const { constraint, counted, own } of checks) {
          const id = constraint.topology.idOf(node);
          if (id < 0) return NO_LABEL;
          if (counted === undefined) continue;
          const more = coming.length === 0 ? 0 : countComing(coming, { node, constraint, asked });
          const least = counted.size < constraint.minDomains ? 0 : counted.least(id, more);
          if (counted.count(id) + more + own - least > constraint.maxSkew) return TOO_MANY;
        }
        return undefined;
      },
    };
  },
};

interface Coming {
  readonly node: NodeState;
  readonly constraint: Constraint;
  readonly asked: AskedPod;
}

function countComing(promised: readonly PodState[], { node, constraint, asked }: Coming): number {
  if (!isIncluded(node, constraint, asked)) return 0;
  const matching = promised.filter(
    ({ namespace, labels }) => namespace === asked.namespace && constraint.matcher.matches(labels),
  );
  return matching.length;
}
