import { type JsonObject, objectAt } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';

const FIELD = 'spec.serviceAccountName';

/**
 * The service account, in the same namespace, whose permissions a Subscription or a Tally has; undefined: it has its
 * author's.
 */
export function serviceAccountOf({ spec }: JsonObject): string | undefined {
  const { serviceAccountName = null } = objectAt(spec);
  return serviceAccountName === null ? undefined : String(serviceAccountName);
}

/** The field error for a service account that does not exist. */
export function noSuchAccount(name: string): FieldError {
  return { type: 'NotFound', field: FIELD, value: name, detail: '' };
}
