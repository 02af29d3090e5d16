import { defineResourceTypes } from '../define-resource-types.ts';

/** scheduling.k8s.io/v1 */
export const scheduling = defineResourceTypes('scheduling.k8s.io', 'v1', [
  {
    kind: 'PriorityClass',
    resource: 'priorityclasses',
    countsGeneration: true,
    shortNames: ['pc'],
    scope: 'Cluster',
  },
]);
