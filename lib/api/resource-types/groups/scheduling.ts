import { AGE, boolean, count, field, NAME, wide } from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';

/** scheduling.k8s.io/v1 */
export const scheduling = defineResourceTypes('scheduling.k8s.io', 'v1', [
  {
    kind: 'PriorityClass',
    resource: 'priorityclasses',
    description: 'PriorityClass gives the priority of a pod a name.',
    shortNames: ['pc'],
    scope: 'Cluster',
    columns: [
      NAME,
      count('Value', 'value', 'The priority of pods of this class.'),
      boolean('Global-Default', 'globalDefault', 'Whether it is the class of pods that name none.'),
      AGE,
      wide(field('PreemptionPolicy', 'preemptionPolicy', 'Whether others make place for its pods.', '')),
    ],
  },
]);
