import type { ObjectState } from '../../store/index.ts';
import { namespaceSelectorOf, type SelectedNamespaces, selectNamespaces } from './select-namespaces.ts';
import type { SubscriptionState } from './subscription-state.ts';

/**
 * Whether the namespaceSelector of a Subscription or a Tally selects others, of the namespaces that there are, than its
 * state says.
 */
export function selectsOthers(
  { body }: ObjectState,
  state: SubscriptionState,
  namespaces: readonly ObjectState[],
): boolean {
  const selector = namespaceSelectorOf(body);
  return selector !== undefined && isOther(selectNamespaces(selector, namespaces), state);
}

/** Whether what a namespaceSelector selects is not what the state says. */
export function isOther(selected: SelectedNamespaces, state: SubscriptionState): boolean {
  if (selected.failure !== state.namespacesFailure) return true;
  return selected.failure === '' && JSON.stringify(selected.namespaces) !== state.namespaces;
}
