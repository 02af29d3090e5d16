import type { ResourceDefinition } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

export const claims: ResourceDefinition = {
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  description: 'PersistentVolumeClaim asks for storage.',
  shortNames: ['pvc'],
  answersDeleted: true,
  status: true,
  properties: SPEC_AND_STATUS,
};
