import type { ResourceDefinition } from '../define-resource-types.ts';

export const volumes: ResourceDefinition = {
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  shortNames: ['pv'],
  scope: 'Cluster',
  answersDeleted: true,
  status: true,
};
