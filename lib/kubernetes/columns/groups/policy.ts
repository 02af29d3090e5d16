import { AGE, count, field, NAME } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** policy/v1 */
export const policy: ColumnsByKind = {
  PodDisruptionBudget: [
    NAME,
    field('Min Available', 'spec.minAvailable', 'Pods that have to stay.', 'N/A'),
    field('Max Unavailable', 'spec.maxUnavailable', 'Pods that may be away.', 'N/A'),
    count('Allowed Disruptions', 'status.disruptionsAllowed', 'Pods that may go now.'),
    AGE,
  ],
};
