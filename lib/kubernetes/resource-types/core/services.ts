import type { ResourceDefinition } from '../define-resource-types.ts';
import { SERVICE_SUBRESOURCES } from '../subresources.ts';

export const services: ResourceDefinition = {
  kind: 'Service',
  resource: 'services',
  createOnUpdate: true,
  carriesSelectors: 'always',
  shortNames: ['svc'],
  answersDeleted: true,
  categories: ['all'],
  status: true,
  subresources: SERVICE_SUBRESOURCES,
  nameRule: 'label1035',
  fields: ['spec.clusterIP', 'spec.type'],
  selectors: [{ path: ['spec', 'selector'], kind: 'map' }],
};
