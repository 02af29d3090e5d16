import { accessGrant, clusterAccessGrant } from './access-grants.ts';
import { configMap, configMapUpdate, secret, secretUpdate } from './data.ts';
import { nothing } from './errors.ts';
import { event, lease, node, nodeUpdate, podDisruptionBudget } from './inventory.ts';
import type { KindRules } from './kind-rules.ts';
import {
  endpointSlice,
  endpointSliceUpdate,
  endpoints,
  ingress,
  ingressClass,
  ingressClassUpdate,
  ipAddress,
  ipAddressUpdate,
  networkPolicy,
  service,
  serviceRanges,
  serviceRangesUpdate,
  serviceUpdate,
} from './networking/index.ts';
import { bindingUpdate, clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';

/** The rules of kinds with few rules. */
export const KINDS: ReadonlyMap<string, KindRules> = new Map<string, KindRules>([
  ['/ConfigMap', { content: configMap, changedFirst: configMapUpdate, asNew: true }],
  ['/Endpoints', { content: endpoints, asNew: true }],
  ['/Event', { content: event, metadataLast: true }],
  ['/Node', { content: nothing, created: node, changed: nodeUpdate }],
  ['/Secret', { content: secret, changedFirst: secretUpdate, asNew: true }],
  ['/Service', { content: service, changedFirst: serviceUpdate, asNew: true }],
  ['coordination.k8s.io/Lease', { content: lease }],
  ['discovery.k8s.io/EndpointSlice', { content: endpointSlice, changed: endpointSliceUpdate, asNew: true }],
  ['networking.k8s.io/Ingress', { content: ingress, asNew: true }],
  [
    'networking.k8s.io/IngressClass',
    { content: ingressClass, changedFirst: ingressClassUpdate, asNew: true },
  ],
  ['networking.k8s.io/IPAddress', { content: ipAddress, changed: ipAddressUpdate, asNew: true }],
  ['networking.k8s.io/NetworkPolicy', { content: networkPolicy }],
  [
    'networking.k8s.io/ServiceCIDR',
    { content: nothing, created: serviceRanges, changed: serviceRangesUpdate },
  ],
  ['policy/PodDisruptionBudget', { content: podDisruptionBudget, metadataLast: true }],
  ['rbac.authorization.k8s.io/ClusterRole', { content: clusterRole, asNew: true }],
  [
    'rbac.authorization.k8s.io/ClusterRoleBinding',
    { content: clusterRoleBinding, changed: bindingUpdate, asNew: true },
  ],
  ['rbac.authorization.k8s.io/Role', { content: role, asNew: true }],
  ['rbac.authorization.k8s.io/RoleBinding', { content: roleBinding, changed: bindingUpdate, asNew: true }],
  ['winnow.dev/AccessGrant', { content: accessGrant, changed: bindingUpdate }],
  ['winnow.dev/ClusterAccessGrant', { content: clusterAccessGrant, changed: bindingUpdate }],
]);
