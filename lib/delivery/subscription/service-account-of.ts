import { type JsonObject, objectAt } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';

const FIELD = 'spec.serviceAccountName';

/** The service account of its namespace by whose rights a Subscription or a Tally tells; undefined: its author's. */
export function serviceAccountOf({ spec }: JsonObject): string | undefined {
  const { serviceAccountName = null } = objectAt(spec);
  return serviceAccountName === null ? undefined : String(serviceAccountName);
}

/** That there is no such account. */
export function noSuchAccount(name: string): FieldError {
  return { type: 'NotFound', field: FIELD, value: name, detail: '' };
}
