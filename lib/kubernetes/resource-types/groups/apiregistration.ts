import { defineResourceTypes } from '../define-resource-types.ts';

/** apiregistration.k8s.io/v1: inventory. No request is handed on to another server. */
export const apiregistration = defineResourceTypes('apiregistration.k8s.io', 'v1', [
  {
    kind: 'APIService',
    resource: 'apiservices',
    description: 'APIService says who serves a version of a group.',
    categories: ['api-extensions'],
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
    nameRule: 'path',
  },
]);
