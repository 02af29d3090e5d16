import type { ResourceDefinition } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';
import { SERVICE_SUBRESOURCES } from '../subresources.ts';

export const services: ResourceDefinition = {
  kind: 'Service',
  resource: 'services',
  description: 'Service names a set of pods that its selector chooses.',
  shortNames: ['svc'],
  answersDeleted: true,
  categories: ['all'],
  status: true,
  subresources: SERVICE_SUBRESOURCES,
  nameRule: 'label1035',
  fields: ['spec.clusterIP', 'spec.type'],
  selectors: [{ path: ['spec', 'selector'], kind: 'map' }],
  properties: SPEC_AND_STATUS,
};
