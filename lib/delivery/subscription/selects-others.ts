import type { ObjectState } from '../../store/index.ts';
import { namespaceSelectorOf, type SelectedNamespaces, selectNamespaces } from './select-namespaces.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** Whether the namespaceSelector of a Subscription or a Tally now selects other namespaces than its state says. */
export function selectsOthers(
  { body }: ObjectState,
  state: SubscriptionState,
  namespaces: readonly ObjectState[],
): boolean {
  const selector = namespaceSelectorOf(body);
  return selector !== undefined && isOther(selectNamespaces(selector, namespaces), state);
}

/** Whether the selected namespaces differ from those in the state. */
export function isOther(selected: SelectedNamespaces, state: SubscriptionState): boolean {
  if (selected.failure !== state.namespacesFailure) return true;
  return selected.failure === '' && JSON.stringify(selected.namespaces) !== state.namespaces;
}
