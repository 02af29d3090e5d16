import type { JsonObject } from '../../json/index.ts';
import { dns1123SubdomainErrors, type FieldError } from '../../selectors/index.ts';

/** The errors of `spec.serviceAccountName`. Whether the account exists is checked when the object is written. */
export function serviceAccountErrors({ serviceAccountName: value = null }: JsonObject): FieldError[] {
  if (value === null) return [];
  if (typeof value === 'string' && dns1123SubdomainErrors(value).length === 0) return [];
  const type = typeof value === 'string' ? 'Invalid' : 'TypeInvalid';
  return [
    {
      type,
      field: 'spec.serviceAccountName',
      value,
      detail: 'must be the name of a service account of this namespace',
    },
  ];
}
