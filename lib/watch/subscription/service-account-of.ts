import { dns1123SubdomainErrors, type FieldError } from '../../selectors/index.ts';
import { type JsonObject, objectAt } from '../../store/index.ts';

const FIELD = 'spec.serviceAccountName';

/** The service account of its namespace by whose rights a Subscription or a Tally tells; undefined: its author's. */
export function serviceAccountOf({ spec }: JsonObject): string | undefined {
  const { serviceAccountName = null } = objectAt(spec);
  return serviceAccountName === null ? undefined : String(serviceAccountName);
}

/** What is wrong with the name of that account. Whether there is one is decided where it is written. */
export function serviceAccountErrors({ serviceAccountName: value = null }: JsonObject): FieldError[] {
  if (value === null) return [];
  if (typeof value === 'string' && dns1123SubdomainErrors(value).length === 0) return [];
  const type = typeof value === 'string' ? 'Invalid' : 'TypeInvalid';
  return [{ type, field: FIELD, value, detail: 'must be the name of a service account of this namespace' }];
}

/** That there is no such account. */
export function noSuchAccount(name: string): FieldError {
  return { type: 'NotFound', field: FIELD, value: name, detail: '' };
}
