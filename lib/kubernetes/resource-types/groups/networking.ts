import { defineResourceTypes } from '../define-resource-types.ts';
import { SPEC_AND_STATUS, SPEC_ONLY } from '../schema-fields.ts';

/** networking.k8s.io/v1. ServiceCIDR and IPAddress are inventory: addresses of Services come from the deployment's range. */
export const networking = defineResourceTypes('networking.k8s.io', 'v1', [
  {
    kind: 'IPAddress',
    resource: 'ipaddresses',
    description: 'IPAddress names the object that has an IP address.',
    shortNames: ['ip'],
    scope: 'Cluster',
    nameRule: 'address',
    properties: SPEC_ONLY,
  },
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
  {
    kind: 'ServiceCIDR',
    resource: 'servicecidrs',
    description: 'ServiceCIDR names ranges of IP addresses for Services.',
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
    properties: SPEC_AND_STATUS,
  },
]);
