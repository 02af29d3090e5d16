import {
  type SelectedNamespaces,
  type Selection,
  type SubscriptionSpec,
  type SubscriptionState,
  selection,
} from '../subscription/index.ts';

/** What an object asks for. */
export interface Asking {
  readonly spec: SubscriptionSpec;
  readonly generation: number;
  /** What its namespaceSelector selects now. */
  readonly selected: SelectedNamespaces;
}

/**
 * What is to be sent, within the scope that there is. Where too many namespaces are selected those of before are followed
 * still.
 */
export function wantedSelection({
  spec,
  generation,
  selected,
  state,
}: Asking & { readonly state: SubscriptionState }): Selection {
  const { namespaces, failure } = selected;
  const { scope } = state;
  const wanted = selection({ spec, namespace: state.name.namespace, generation, namespaces, scope });
  return failure === '' ? wanted : { ...wanted, namespaces: state.namespaces || wanted.namespaces };
}
