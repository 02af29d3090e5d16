import { defineResourceTypes } from '../define-resource-types.ts';
import { SPEC_AND_STATUS, SPEC_ONLY } from '../schema-fields.ts';

/** networking.k8s.io/v1 */
export const networking = defineResourceTypes('networking.k8s.io', 'v1', [
  {
    kind: 'Ingress',
    resource: 'ingresses',
    description: 'Ingress describes how requests from outside reach services.',
    shortNames: ['ing'],
    status: true,
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'IngressClass',
    resource: 'ingressclasses',
    description: 'IngressClass names a controller that serves ingresses.',
    scope: 'Cluster',
    properties: SPEC_ONLY,
  },
  {
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    description: 'NetworkPolicy describes which traffic the pods it selects allow.',
    shortNames: ['netpol'],
    selectors: [{ path: ['spec', 'podSelector'], kind: 'labelSelector' }],
    properties: SPEC_ONLY,
  },
]);
