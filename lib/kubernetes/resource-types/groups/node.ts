import { defineResourceTypes } from '../define-resource-types.ts';

/** node.k8s.io/v1 */
export const node = defineResourceTypes('node.k8s.io', 'v1', [
  {
    kind: 'RuntimeClass',
    resource: 'runtimeclasses',
    createOnUpdate: true,
    carriesSelectors: 'always',
    scope: 'Cluster',
  },
]);
