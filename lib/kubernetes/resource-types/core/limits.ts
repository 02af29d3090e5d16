import type { ResourceDefinition } from '../define-resource-types.ts';

export const limitRanges: ResourceDefinition = {
  kind: 'LimitRange',
  resource: 'limitranges',
  description: 'LimitRange says how much each object of a namespace may take.',
  shortNames: ['limits'],
};

export const resourceQuotas: ResourceDefinition = {
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  description: 'ResourceQuota says how much all objects of a namespace may take together.',
  shortNames: ['quota'],
  answersDeleted: true,
  status: true,
};
