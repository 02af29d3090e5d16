import type { JsonObject } from '../../store/index.ts';
import { claimUpdate, persistentVolumeClaim } from './claims.ts';
import { configMap, configMapUpdate, secret, secretUpdate } from './data.ts';
import { endpointSlice, endpointSliceUpdate, endpoints } from './endpoints.ts';
import type { Errors } from './errors.ts';
import { ingress, ingressClass, ingressClassUpdate } from './ingresses.ts';
import { event, lease, node, nodeUpdate, podDisruptionBudget } from './inventory.ts';
import { cronJob, jobUpdate, newCronJob, newJob } from './jobs.ts';
import { networkPolicy } from './network-policies.ts';
import { podResize } from './pod-resize.ts';
import { ephemeralContainersUpdate, podUpdate } from './pod-update.ts';
import { newPod, pod, podTemplate } from './pods.ts';
import { bindingUpdate, clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';
import { service, serviceUpdate } from './services.ts';
import {
  controllerRevision,
  daemonSet,
  deployment,
  newControllerRevision,
  newStatefulSet,
  replicaSet,
  replicationController,
  sameSelector,
  statefulSet,
  statefulSetUpdate,
} from './workloads.ts';

type Rule = (body: JsonObject, old?: JsonObject) => Errors;
type Change = (body: JsonObject, old: JsonObject) => Errors;

/** What Kubernetes asks of one kind beside its metadata. */
export interface KindRules {
  /** Of an object, whether it is new or not. */
  readonly content: Rule;
  /** Of a new object, where that is more. */
  readonly created?: Rule;
  /** Of a change; told before the content, or after it. */
  readonly changedFirst?: Change;
  readonly changed?: Change;
  /** Of a change through a subresource, instead. */
  readonly through?: Readonly<Record<string, Change>>;
  /** Whether a change is asked again for what a new object's metadata is asked for. */
  readonly asNew?: boolean;
}

/** By group and kind. What is not here is asked for its metadata alone. */
export const KINDS: ReadonlyMap<string, KindRules> = new Map<string, KindRules>([
  ['/ConfigMap', { content: configMap, changedFirst: configMapUpdate, asNew: true }],
  ['/Endpoints', { content: endpoints, asNew: true }],
  ['/Event', { content: event }],
  ['/Node', { content: nothing, created: node, changed: nodeUpdate }],
  ['/PersistentVolumeClaim', { content: persistentVolumeClaim, changed: claimUpdate, asNew: true }],
  [
    '/Pod',
    {
      content: pod,
      created: newPod,
      changed: podUpdate,
      through: { ephemeralcontainers: ephemeralContainersUpdate, resize: podResize },
      asNew: true,
    },
  ],
  ['/PodTemplate', { content: ({ template }) => podTemplate('template', template) }],
  ['/ReplicationController', { content: replicationController }],
  ['/Secret', { content: secret, changedFirst: secretUpdate, asNew: true }],
  ['/Service', { content: service, changedFirst: serviceUpdate, asNew: true }],
  ['apps/ControllerRevision', { content: controllerRevision, created: newControllerRevision, asNew: true }],
  ['apps/DaemonSet', { content: daemonSet, changed: sameSelector }],
  ['apps/Deployment', { content: deployment, changed: sameSelector }],
  ['apps/ReplicaSet', { content: replicaSet, changed: sameSelector }],
  ['apps/StatefulSet', { content: statefulSet, created: newStatefulSet, changed: statefulSetUpdate }],
  ['batch/CronJob', { content: cronJob, created: newCronJob }],
  ['batch/Job', { content: newJob, changed: jobUpdate, asNew: true }],
  ['coordination.k8s.io/Lease', { content: lease }],
  ['discovery.k8s.io/EndpointSlice', { content: endpointSlice, changed: endpointSliceUpdate, asNew: true }],
  ['networking.k8s.io/Ingress', { content: ingress, asNew: true }],
  [
    'networking.k8s.io/IngressClass',
    { content: ingressClass, changedFirst: ingressClassUpdate, asNew: true },
  ],
  ['networking.k8s.io/NetworkPolicy', { content: networkPolicy }],
  ['policy/PodDisruptionBudget', { content: podDisruptionBudget }],
  ['rbac.authorization.k8s.io/ClusterRole', { content: clusterRole, asNew: true }],
  [
    'rbac.authorization.k8s.io/ClusterRoleBinding',
    { content: clusterRoleBinding, changed: bindingUpdate, asNew: true },
  ],
  ['rbac.authorization.k8s.io/Role', { content: role, asNew: true }],
  ['rbac.authorization.k8s.io/RoleBinding', { content: roleBinding, changed: bindingUpdate, asNew: true }],
]);

function* nothing(): Errors {}
