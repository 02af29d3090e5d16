import type { ResourceDefinition } from '../define-resource-types.ts';

export const limitRanges: ResourceDefinition = {
  kind: 'LimitRange',
  resource: 'limitranges',
  createOnUpdate: true,
  shortNames: ['limits'],
};

export const resourceQuotas: ResourceDefinition = {
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  shortNames: ['quota'],
  answersDeleted: true,
  status: true,
};
