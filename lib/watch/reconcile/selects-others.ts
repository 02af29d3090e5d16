import type { ObjectState } from '../../store/index.ts';
import { namespaceSelectorOf, type SubscriptionState, selectNamespaces } from '../subscription/index.ts';

/** Whether a Subscription's namespaceSelector selects others, of the namespaces that there are, than its state says. */
export function selectsOthers(
  { body }: ObjectState,
  state: SubscriptionState,
  namespaces: readonly ObjectState[],
): boolean {
  const selector = namespaceSelectorOf(body);
  if (selector === undefined) return false;
  const selected = selectNamespaces(selector, namespaces);
  if (selected.failure !== state.namespacesFailure) return true;
  return selected.failure === '' && JSON.stringify(selected.namespaces) !== state.namespaces;
}
