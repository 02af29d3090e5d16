import { defineResourceTypes } from '../define-resource-types.ts';

/** storage.k8s.io/v1 */
export const storage = defineResourceTypes('storage.k8s.io', 'v1', [
  {
    kind: 'CSIDriver',
    resource: 'csidrivers',
    scope: 'Cluster',
    answersDeleted: true,
  },
  {
    kind: 'CSINode',
    resource: 'csinodes',
    scope: 'Cluster',
    answersDeleted: true,
  },
  {
    kind: 'CSIStorageCapacity',
    resource: 'csistoragecapacities',
  },
  {
    kind: 'StorageClass',
    resource: 'storageclasses',
    shortNames: ['sc'],
    scope: 'Cluster',
    answersDeleted: true,
  },
  {
    kind: 'VolumeAttachment',
    resource: 'volumeattachments',
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
    answersDeleted: true,
  },
]);
