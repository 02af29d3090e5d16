import { defineResourceTypes } from '../define-resource-types.ts';

/** apiregistration.k8s.io/v1: inventory. Winnow forwards no requests to other servers. */
export const apiregistration = defineResourceTypes('apiregistration.k8s.io', 'v1', [
  {
    kind: 'APIService',
    resource: 'apiservices',
    categories: ['api-extensions'],
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
    nameRule: 'path',
  },
]);
