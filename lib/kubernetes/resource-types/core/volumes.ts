import type { ResourceDefinition } from '../define-resource-types.ts';

export const volumes: ResourceDefinition = {
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  description: 'PersistentVolume is a piece of storage.',
  shortNames: ['pv'],
  scope: 'Cluster',
  answersDeleted: true,
  status: true,
};
