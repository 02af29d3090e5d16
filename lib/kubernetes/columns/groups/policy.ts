import { AGE, count, field, NAME } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** policy/v1 */
export const policy: ColumnsByKind = {
  PodDisruptionBudget: [
    NAME,
    field('Min Available', 'spec.minAvailable', 'The number of pods that must stay available.', 'N/A'),
    field('Max Unavailable', 'spec.maxUnavailable', 'The number of pods that may be unavailable.', 'N/A'),
    count('Allowed Disruptions', 'status.disruptionsAllowed', 'The number of pods that may be evicted now.'),
    AGE,
  ],
};
