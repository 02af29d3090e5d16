import { defineResourceTypes } from '../define-resource-types.ts';

/** discovery.k8s.io/v1 */
export const discovery = defineResourceTypes('discovery.k8s.io', 'v1', [
  {
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    countsGeneration: true,
  },
]);
