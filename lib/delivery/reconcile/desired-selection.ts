import type { SubscriptionSpec } from '../../kubernetes/winnow/index.ts';
import {
  type SelectedNamespaces,
  type Selection,
  type SubscriptionState,
  selection,
} from '../subscription/index.ts';

/** What an object asks for. */
export interface DeliveryRequest {
  readonly spec: SubscriptionSpec;
  readonly generation: number;
  /** What its namespaceSelector selects now. */
  readonly selected: SelectedNamespaces;
  /** Of which objects it may tell at all. */
  readonly scope: string;
}

/** What is to be sent. Where too many namespaces are selected those of before are followed still. */
export function desiredSelection({
  spec,
  generation,
  selected,
  scope,
  state,
}: DeliveryRequest & { readonly state: SubscriptionState }): Selection {
  const { namespaces, failure } = selected;
  const wanted = selection({ spec, namespace: state.name.namespace, generation, namespaces, scope });
  return failure === '' ? wanted : { ...wanted, namespaces: state.namespaces || wanted.namespaces };
}
