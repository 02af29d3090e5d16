import type { JsonObject } from '../../../json/index.ts';
import { type Column, objectAt } from '../../resource-types/index.ts';
import { AGE, CREATED_AT, NAME, text } from '../columns.ts';

export const limitRanges: readonly Column[] = [NAME, CREATED_AT];

export const resourceQuotas: readonly Column[] = [
  NAME,
  text('Request', 'The used and the allowed amount of each request.', (o) => used(o, false)),
  text('Limit', 'The used and the allowed amount of each limit.', (o) => used(o, true)),
  AGE,
];

function used(quota: JsonObject, isLimit: boolean): string {
  const hard = objectAt(quota, 'status.hard');
  const taken = objectAt(quota, 'status.used');
  const names = Object.keys(hard)
    .sort()
    .filter((name) => name.startsWith('limits.') === isLimit);
  return names.map((name) => `${name}: ${taken[name] ?? '0'}/${hard[name]}`).join(', ');
}
