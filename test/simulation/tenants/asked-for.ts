import type { Asked } from '../history.ts';
import { isOfAll, NAMESPACE, nameOf } from './grants.ts';
import type { TenantOptions } from './tenant.ts';

export interface Asking {
  /** The tenant's own selector, within what its grants select. */
  readonly own: string;
  readonly since: number;
  readonly until: number;
}

/**
 * The effective request of a tenant between two moments: its grants and its own selector. Undefined if the grants
 * changed, or select nothing.
 */
export function askedFor(
  { record, at }: Pick<TenantOptions, 'record' | 'at'>,
  { own, since, until }: Asking,
): Asked | undefined {
  const scopes = record.inForce(nameOf(at), since, until);
  const [anyOf = []] = scopes;
  if (scopes.length !== 1 || anyOf.length === 0) return undefined;
  return {
    ...(own !== '' && { labelSelector: own }),
    ...(!isOfAll(at) && { namespace: NAMESPACE }),
    anyOf,
  };
}
