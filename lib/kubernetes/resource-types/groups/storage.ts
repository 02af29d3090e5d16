import { defineResourceTypes } from '../define-resource-types.ts';

/** storage.k8s.io/v1 */
export const storage = defineResourceTypes('storage.k8s.io', 'v1', [
  {
    kind: 'CSIDriver',
    resource: 'csidrivers',
    description: 'CSIDriver says what a driver of volumes can do.',
    scope: 'Cluster',
    answersDeleted: true,
  },
  {
    kind: 'CSINode',
    resource: 'csinodes',
    description: 'CSINode says which drivers of volumes a node has.',
    scope: 'Cluster',
    answersDeleted: true,
  },
  {
    kind: 'CSIStorageCapacity',
    resource: 'csistoragecapacities',
    description: 'CSIStorageCapacity says how much a class has left in one place.',
  },
  {
    kind: 'StorageClass',
    resource: 'storageclasses',
    description: 'StorageClass names a way in which volumes are made.',
    shortNames: ['sc'],
    scope: 'Cluster',
    answersDeleted: true,
  },
  {
    kind: 'VolumeAttachment',
    resource: 'volumeattachments',
    description: 'VolumeAttachment asks for a volume at a node.',
    scope: 'Cluster',
    status: true,
    statusKeeps: 'metadata',
    answersDeleted: true,
  },
]);
