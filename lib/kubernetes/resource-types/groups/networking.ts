import { defineResourceTypes } from '../define-resource-types.ts';

/** networking.k8s.io/v1. ServiceCIDR and IPAddress are inventory: addresses of Services come from the deployment's range. */
export const networking = defineResourceTypes('networking.k8s.io', 'v1', [
  {
    kind: 'IPAddress',
    resource: 'ipaddresses',
    shortNames: ['ip'],
    scope: 'Cluster',
    nameRule: 'address',
  },
  {
    kind: 'Ingress',
    resource: 'ingresses',
    countsGeneration: true,
    shortNames: ['ing'],
    status: true,
  },
  {
    kind: 'IngressClass',
    resource: 'ingressclasses',
    countsGeneration: true,
    scope: 'Cluster',
  },
  {
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['netpol'],
    selectors: [{ path: ['spec', 'podSelector'], kind: 'labelSelector' }],
  },
  {
    kind: 'ServiceCIDR',
    resource: 'servicecidrs',
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
  },
]);
