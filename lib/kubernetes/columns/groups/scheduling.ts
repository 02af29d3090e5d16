import { AGE, boolean, count, field, NAME, wide } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

/** scheduling.k8s.io/v1 */
export const scheduling: ColumnsByKind = {
  PriorityClass: [
    NAME,
    count('Value', 'value', 'The priority of pods of this class.'),
    boolean('Global-Default', 'globalDefault', 'Whether pods that name no class get this class.'),
    AGE,
    wide(
      field(
        'PreemptionPolicy',
        'preemptionPolicy',
        'Whether pods of lower priority are evicted for its pods.',
        '',
      ),
    ),
  ],
};
