import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import type { SubscriptionSpec } from '../../kubernetes/winnow/index.ts';
import type { Store } from '../../store/index.ts';
import { type SelectedNamespaces, selectNamespaces } from '../subscription/index.ts';
import { everyObject } from './every-object.ts';

/** Applies the namespaceSelector to the current namespaces. */
export async function namespacesNow(
  store: Store,
  { namespaceSelector }: SubscriptionSpec,
): Promise<SelectedNamespaces> {
  if (namespaceSelector === undefined) return { namespaces: [], failure: '' };
  return selectNamespaces(namespaceSelector, await everyObject(store, NAMESPACES));
}
