import type { Store } from '../../store/index.ts';
import { NAMESPACES } from '../own-collections.ts';
import { type SelectedNamespaces, type SubscriptionSpec, selectNamespaces } from '../subscription/index.ts';
import { everyObject } from './every-object.ts';

/** What the namespaceSelector selects of the namespaces that there are now. */
export async function namespacesNow(
  store: Store,
  { namespaceSelector }: SubscriptionSpec,
): Promise<SelectedNamespaces> {
  if (namespaceSelector === undefined) return { namespaces: [], failure: '' };
  return selectNamespaces(namespaceSelector, await everyObject(store, NAMESPACES));
}
