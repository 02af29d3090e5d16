import type { JsonObject } from '../../store/index.ts';
import { accessGrant, clusterAccessGrant } from './access-grants.ts';
import { claimUpdate, persistentVolumeClaim } from './claims.ts';
import {
  admissionPolicy,
  admissionPolicyBinding,
  apiService,
  autoscaler,
  autoscalerStatus,
  certificateApproval,
  certificateRequest,
  certificateStatus,
  csiDriver,
  csiDriverUpdate,
  csiNode,
  flowSchema,
  limitRange,
  newSeriesEvent,
  persistentVolume,
  priorityClass,
  priorityClassUpdate,
  priorityLevel,
  quotaStatus,
  quotaUpdate,
  resourceQuota,
  runtimeClass,
  runtimeClassUpdate,
  seriesEventUpdate,
  storageCapacity,
  storageCapacityUpdate,
  storageClass,
  storageClassUpdate,
  volumeAttachment,
  volumeAttachmentUpdate,
  volumeUpdate,
  webhooks,
} from './cluster/index.ts';
import { configMap, configMapUpdate, secret, secretUpdate } from './data.ts';
import { endpointSlice, endpointSliceUpdate, endpoints } from './endpoints.ts';
import type { Errors } from './errors.ts';
import { ingress, ingressClass, ingressClassUpdate } from './ingresses.ts';
import { event, lease, node, nodeUpdate, podDisruptionBudget } from './inventory.ts';
import { cronJob, jobStatus, jobUpdate, newCronJob, newJob } from './jobs/index.ts';
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
  /** Of a change of the status alone. */
  readonly status?: Rule;
  /** Whether a change is asked again for what a new object's metadata is asked for. */
  readonly asNew?: boolean;
  /** Whether a new object's metadata is looked at only where nothing else is wrong. */
  readonly metadataLast?: boolean;
}

/** By group and kind. What is not here is asked for its metadata alone. */
export const KINDS: ReadonlyMap<string, KindRules> = new Map<string, KindRules>([
  ['/ConfigMap', { content: configMap, changedFirst: configMapUpdate, asNew: true }],
  ['/Endpoints', { content: endpoints, asNew: true }],
  ['/Event', { content: event, metadataLast: true }],
  ['/LimitRange', { content: limitRange, asNew: true }],
  ['/Node', { content: nothing, created: node, changed: nodeUpdate }],
  ['/PersistentVolume', { content: persistentVolume, changed: volumeUpdate, asNew: true }],
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
  ['/ResourceQuota', { content: resourceQuota, changed: quotaUpdate, status: quotaStatus }],
  ['/Secret', { content: secret, changedFirst: secretUpdate, asNew: true }],
  ['/Service', { content: service, changedFirst: serviceUpdate, asNew: true }],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', { content: webhooks, asNew: true }],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', { content: admissionPolicy, asNew: true }],
  [
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    { content: admissionPolicyBinding, asNew: true },
  ],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', { content: webhooks, asNew: true }],
  ['apiregistration.k8s.io/APIService', { content: apiService, asNew: true }],
  ['apps/ControllerRevision', { content: controllerRevision, created: newControllerRevision, asNew: true }],
  ['apps/DaemonSet', { content: daemonSet, changed: sameSelector }],
  ['apps/Deployment', { content: deployment, changed: sameSelector }],
  ['apps/ReplicaSet', { content: replicaSet, changed: sameSelector }],
  ['apps/StatefulSet', { content: statefulSet, created: newStatefulSet, changed: statefulSetUpdate }],
  ['autoscaling/HorizontalPodAutoscaler', { content: autoscaler, status: autoscalerStatus }],
  ['batch/CronJob', { content: cronJob, created: newCronJob }],
  ['batch/Job', { content: newJob, changed: jobUpdate, status: jobStatus, asNew: true }],
  [
    'certificates.k8s.io/CertificateSigningRequest',
    {
      content: certificateRequest,
      status: certificateStatus,
      through: { approval: certificateApproval },
      asNew: true,
    },
  ],
  ['coordination.k8s.io/Lease', { content: lease }],
  ['discovery.k8s.io/EndpointSlice', { content: endpointSlice, changed: endpointSliceUpdate, asNew: true }],
  [
    'events.k8s.io/Event',
    { content: event, created: allOf(event, newSeriesEvent), changed: seriesEventUpdate },
  ],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', { content: flowSchema, asNew: true }],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', { content: priorityLevel, asNew: true }],
  ['networking.k8s.io/Ingress', { content: ingress, asNew: true }],
  [
    'networking.k8s.io/IngressClass',
    { content: ingressClass, changedFirst: ingressClassUpdate, asNew: true },
  ],
  ['networking.k8s.io/NetworkPolicy', { content: networkPolicy }],
  ['node.k8s.io/RuntimeClass', { content: runtimeClass, changed: runtimeClassUpdate }],
  ['policy/PodDisruptionBudget', { content: podDisruptionBudget, metadataLast: true }],
  ['rbac.authorization.k8s.io/ClusterRole', { content: clusterRole, asNew: true }],
  [
    'rbac.authorization.k8s.io/ClusterRoleBinding',
    { content: clusterRoleBinding, changed: bindingUpdate, asNew: true },
  ],
  ['rbac.authorization.k8s.io/Role', { content: role, asNew: true }],
  ['rbac.authorization.k8s.io/RoleBinding', { content: roleBinding, changed: bindingUpdate, asNew: true }],
  [
    'scheduling.k8s.io/PriorityClass',
    { content: nothing, created: priorityClass, changed: priorityClassUpdate },
  ],
  ['storage.k8s.io/CSIDriver', { content: csiDriver, changed: csiDriverUpdate }],
  ['storage.k8s.io/CSINode', { content: csiNode, asNew: true }],
  [
    'storage.k8s.io/CSIStorageCapacity',
    { content: nothing, created: storageCapacity, changed: storageCapacityUpdate },
  ],
  ['storage.k8s.io/StorageClass', { content: nothing, created: storageClass, changed: storageClassUpdate }],
  [
    'storage.k8s.io/VolumeAttachment',
    { content: volumeAttachment, changed: volumeAttachmentUpdate, asNew: true },
  ],
  ['winnow.dev/AccessGrant', { content: accessGrant, changed: bindingUpdate }],
  ['winnow.dev/ClusterAccessGrant', { content: clusterAccessGrant, changed: bindingUpdate }],
]);

function allOf(...rules: readonly ((body: JsonObject) => Errors)[]): Rule {
  return function* (body) {
    for (const rule of rules) yield* rule(body);
  };
}

function* nothing(): Errors {}
