import { defineResourceTypes } from '../define-resource-types.ts';
import { SPEC_ONLY } from '../schema-fields.ts';

/** coordination.k8s.io/v1 */
export const coordination = defineResourceTypes('coordination.k8s.io', 'v1', [
  {
    kind: 'Lease',
    resource: 'leases',
    description: 'Lease says who holds what, and until when.',
    properties: SPEC_ONLY,
  },
]);
