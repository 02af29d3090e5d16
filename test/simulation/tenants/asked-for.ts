import type { Asked } from '../history.ts';
import { isOfAll, NAMESPACE, nameOf } from './grants.ts';
import type { TenantOptions } from './tenant.ts';

export interface Asking {
  /** What he asks for himself, within what his grants select. */
  readonly own: string;
  readonly since: number;
  readonly until: number;
}

/** What a tenant's grants select between two moments, with what he asks for; undefined where that changed, or is nothing. */
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
