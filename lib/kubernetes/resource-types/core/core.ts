import { defineResourceTypes } from '../define-resource-types.ts';
import { NAMESPACE_SUBRESOURCES, SERVICE_ACCOUNT_SUBRESOURCES } from '../subresources.ts';
import { bindings } from './bindings.ts';
import { claims } from './claims.ts';
import { endpoints } from './endpoints.ts';
import { events } from './events.ts';
import { limitRanges, resourceQuotas } from './limits.ts';
import { nodes } from './nodes.ts';
import { pods } from './pods.ts';
import { services } from './services.ts';
import { volumes } from './volumes.ts';

/** The types of core/v1. Types with many columns have their own files. */
export const core = defineResourceTypes('', 'v1', [
  bindings,
  {
    kind: 'ConfigMap',
    resource: 'configmaps',
    shortNames: ['cm'],
  },
  {
    kind: 'ComponentStatus',
    resource: 'componentstatuses',
    shortNames: ['cs'],
    scope: 'Cluster',
    verbs: ['get', 'list'],
    nameRule: 'path',
    warning: 'v1 ComponentStatus is deprecated in v1.19+',
  },
  endpoints,
  events,
  limitRanges,
  {
    kind: 'Namespace',
    resource: 'namespaces',
    shortNames: ['ns'],
    scope: 'Cluster',
    // Without deletecollection, as upstream: each namespace must be named.
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    status: true,
    subresources: NAMESPACE_SUBRESOURCES,
    nameRule: 'label',
    fields: ['status.phase'],
  },
  nodes,
  claims,
  volumes,
  pods,
  {
    kind: 'PodTemplate',
    resource: 'podtemplates',
    countsGeneration: true,
    carriesSelectors: 'always',
    answersDeleted: true,
  },
  {
    kind: 'ReplicationController',
    resource: 'replicationcontrollers',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['rc'],
    categories: ['all'],
    status: true,
    scale: { selector: 'map' },
    fields: ['status.replicas'],
    selectors: [{ path: ['spec', 'selector'], kind: 'map' }],
  },
  resourceQuotas,
  {
    kind: 'Secret',
    resource: 'secrets',
    fields: ['type'],
  },
  {
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    shortNames: ['sa'],
    subresources: SERVICE_ACCOUNT_SUBRESOURCES,
    answersDeleted: true,
  },
  services,
]);
