import type { JsonObject } from '../../json/index.ts';
import { claimUpdate, persistentVolumeClaim } from './claims.ts';
import {
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
} from './cluster/index.ts';
import type { Errors } from './errors.ts';
import { nothing } from './errors.ts';
import { event } from './inventory.ts';
import type { KindRules } from './kind-rules.ts';

/** The rules of other kinds of a cluster: volumes, quotas, classes, registrations. */
export const KINDS: ReadonlyMap<string, KindRules> = new Map<string, KindRules>([
  ['/LimitRange', { content: limitRange, asNew: true }],
  ['/PersistentVolume', { content: persistentVolume, changed: volumeUpdate, asNew: true }],
  ['/PersistentVolumeClaim', { content: persistentVolumeClaim, changed: claimUpdate, asNew: true }],
  ['/ResourceQuota', { content: resourceQuota, changed: quotaUpdate, status: quotaStatus }],
  ['apiregistration.k8s.io/APIService', { content: apiService, asNew: true }],
  ['autoscaling/HorizontalPodAutoscaler', { content: autoscaler, status: autoscalerStatus }],
  [
    'certificates.k8s.io/CertificateSigningRequest',
    {
      content: certificateRequest,
      status: certificateStatus,
      through: { approval: certificateApproval },
      asNew: true,
    },
  ],
  [
    'events.k8s.io/Event',
    { content: event, created: allOf(event, newSeriesEvent), changed: seriesEventUpdate },
  ],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', { content: flowSchema, asNew: true }],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', { content: priorityLevel, asNew: true }],
  ['node.k8s.io/RuntimeClass', { content: runtimeClass, changed: runtimeClassUpdate }],
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
]);

function allOf(...rules: readonly ((body: JsonObject) => Errors)[]): KindRules['content'] {
  return function* (body) {
    for (const rule of rules) yield* rule(body);
  };
}
