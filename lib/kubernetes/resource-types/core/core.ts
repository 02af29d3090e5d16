import { defineResourceTypes } from '../define-resource-types.ts';
import { array, boolean, object, SPEC_AND_STATUS, string, stringMap } from '../schema-fields.ts';
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

const IMMUTABLE = boolean('Whether data may never change again.');

/** The types of core/v1. Types with many columns have their own files. */
export const core = defineResourceTypes('', 'v1', [
  bindings,
  {
    kind: 'ConfigMap',
    resource: 'configmaps',
    description: 'ConfigMap holds configuration for pods.',
    shortNames: ['cm'],
    properties: {
      data: stringMap('UTF-8 text by key.'),
      binaryData: stringMap('Base64 bytes by key.'),
      immutable: IMMUTABLE,
    },
  },
  {
    kind: 'ComponentStatus',
    resource: 'componentstatuses',
    description: 'ComponentStatus said how a part of a cluster is. There are none.',
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
    description: 'Namespace is a scope for names.',
    shortNames: ['ns'],
    scope: 'Cluster',
    // Without deletecollection, as upstream: each namespace must be named.
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    status: true,
    subresources: NAMESPACE_SUBRESOURCES,
    nameRule: 'label',
    fields: ['status.phase'],
    properties: SPEC_AND_STATUS,
  },
  nodes,
  claims,
  volumes,
  pods,
  {
    kind: 'PodTemplate',
    resource: 'podtemplates',
    description: 'PodTemplate describes a pod that others are made after.',
    answersDeleted: true,
  },
  {
    kind: 'ReplicationController',
    resource: 'replicationcontrollers',
    description: 'ReplicationController describes how many pods of a template there shall be.',
    shortNames: ['rc'],
    categories: ['all'],
    status: true,
    scale: { selector: 'map' },
    fields: ['status.replicas'],
    selectors: [{ path: ['spec', 'selector'], kind: 'map' }],
    properties: SPEC_AND_STATUS,
  },
  resourceQuotas,
  {
    kind: 'Secret',
    resource: 'secrets',
    description: 'Secret holds data that must not be read by everybody.',
    fields: ['type'],
    properties: {
      data: stringMap('Base64 bytes by key.'),
      stringData: stringMap('Text by key, written into data.'),
      type: string('What the data is for.'),
      immutable: IMMUTABLE,
    },
  },
  {
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    description: 'ServiceAccount is an identity for pods.',
    shortNames: ['sa'],
    subresources: SERVICE_ACCOUNT_SUBRESOURCES,
    answersDeleted: true,
    properties: {
      secrets: array('Secrets that its pods may use.', object('A reference.')),
      imagePullSecrets: array('Secrets for pulling images.', object('A reference.')),
      automountServiceAccountToken: boolean('Whether pods get a token.'),
    },
  },
  services,
]);
