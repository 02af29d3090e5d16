/** The validation rules of kinds that configure a cluster or limit its use. */
export { autoscaler, autoscalerStatus } from './autoscalers.ts';
export { certificateApproval, certificateRequest, certificateStatus } from './certificates.ts';
export {
  csiDriver,
  csiDriverUpdate,
  priorityClass,
  priorityClassUpdate,
  runtimeClass,
  runtimeClassUpdate,
} from './classes.ts';
export { newSeriesEvent, seriesEventUpdate } from './events.ts';
export { limitRange } from './limit-ranges.ts';
export { persistentVolume, volumeUpdate } from './persistent-volumes.ts';
export { quotaStatus, quotaUpdate, resourceQuota } from './quotas.ts';
export { apiService, flowSchema, priorityLevel } from './registrations.ts';
export {
  csiNode,
  storageCapacity,
  storageCapacityUpdate,
  storageClass,
  storageClassUpdate,
  volumeAttachment,
  volumeAttachmentUpdate,
} from './storage.ts';
