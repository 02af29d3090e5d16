import type { ResourceDefinition } from '../define-resource-types.ts';

export const volumes: ResourceDefinition = {
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  carriesSelectors: 'sometimes',
  shortNames: ['pv'],
  scope: 'Cluster',
  answersDeleted: true,
  status: true,
};
