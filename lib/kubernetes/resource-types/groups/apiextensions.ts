import { defineResourceTypes } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

/** apiextensions.k8s.io/v1 */
export const apiextensions = defineResourceTypes('apiextensions.k8s.io', 'v1', [
  {
    kind: 'CustomResourceDefinition',
    resource: 'customresourcedefinitions',
    description: 'CustomResourceDefinition says what a kind of your own is called and what its objects hold.',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
    properties: SPEC_AND_STATUS,
  },
]);
