import type { JsonObject } from '../../../store/index.ts';
import { AGE, CREATED_AT, NAME, text } from '../columns.ts';
import type { ResourceDefinition } from '../define-resource-types.ts';
import { objectAt } from '../json-path.ts';

export const limitRanges: ResourceDefinition = {
  kind: 'LimitRange',
  resource: 'limitranges',
  description: 'LimitRange says how much each object of a namespace may take.',
  shortNames: ['limits'],
  columns: [NAME, CREATED_AT],
};

export const resourceQuotas: ResourceDefinition = {
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  description: 'ResourceQuota says how much all objects of a namespace may take together.',
  shortNames: ['quota'],
  answersDeleted: true,
  status: true,
  columns: [
    NAME,
    text('Request', 'What is used of what may be requested.', (o) => used(o, false)),
    text('Limit', 'What is used of what may be a limit.', (o) => used(o, true)),
    AGE,
  ],
};

function used(quota: JsonObject, isLimit: boolean): string {
  const hard = objectAt(quota, 'status.hard');
  const taken = objectAt(quota, 'status.used');
  const names = Object.keys(hard)
    .sort()
    .filter((name) => name.startsWith('limits.') === isLimit);
  return names.map((name) => `${name}: ${taken[name] ?? '0'}/${hard[name]}`).join(', ');
}
