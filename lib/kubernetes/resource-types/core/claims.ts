import type { ResourceDefinition } from '../define-resource-types.ts';

export const claims: ResourceDefinition = {
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  answersDeleted: true,
  status: true,
};
