import { defineResourceTypes } from '../define-resource-types.ts';

/** apiextensions.k8s.io/v1 */
export const apiextensions = defineResourceTypes('apiextensions.k8s.io', 'v1', [
  {
    kind: 'CustomResourceDefinition',
    resource: 'customresourcedefinitions',
    countsGeneration: true,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
  },
]);
