import type { FilterRule } from './rule.ts';
import { tolerates } from './tolerates.ts';

const REASONS = ['node(s) were unschedulable'];
const TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Refuses nodes with `spec.unschedulable`, unless the pod tolerates the taint of that name. */
export const nodeUnschedulable: FilterRule = {
  name: 'NodeUnschedulable',
  prepare({ tolerations }) {
    if (tolerates(tolerations, TAINT)) return undefined;
    return { refuse: ({ isUnschedulable }) => (isUnschedulable ? REASONS : undefined) };
  },
};
