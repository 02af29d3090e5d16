import type { FieldError } from '../../selectors/index.ts';
import type { NamespacesSpec } from './read-namespaces.ts';

const SECRETS = 'core/secrets';
const DETAIL = 'a Subscription may deliver Secrets only from its own namespace; set namespaces: Own';

/**
 * Returns an error if a Subscription selects Secrets of more than its own namespace. This is refused even if the author
 * may read them, and for every payload.
 */
export function whyNotGathered(collection: string | undefined, where: NamespacesSpec): FieldError[] {
  if (collection !== SECRETS) return [];
  const field = where.namespaceSelector === undefined ? 'spec.namespaces' : 'spec.namespaceSelector';
  const gathers = where.allNamespaces || where.namespaceSelector !== undefined;
  return gathers ? [{ type: 'Forbidden', field, detail: DETAIL }] : [];
}
