import type { SubscriptionSpec } from '../../kubernetes/winnow/index.ts';
import {
  type SelectedNamespaces,
  type Selection,
  type SubscriptionState,
  selection,
} from '../subscription/index.ts';

/** The delivery that an object requests. */
export interface DeliveryRequest {
  readonly spec: SubscriptionSpec;
  readonly generation: number;
  /** The namespaces that its namespaceSelector selects now. */
  readonly selected: SelectedNamespaces;
  /** The objects that the author's permissions allow. */
  readonly scope: string;
}

/** Returns the selection to deliver. If the selector matches too many namespaces, the previous ones stay. */
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
