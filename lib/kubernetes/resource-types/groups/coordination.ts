import { defineResourceTypes } from '../define-resource-types.ts';

/** coordination.k8s.io/v1 */
export const coordination = defineResourceTypes('coordination.k8s.io', 'v1', [
  {
    kind: 'Lease',
    resource: 'leases',
    createOnUpdate: true,
  },
]);
