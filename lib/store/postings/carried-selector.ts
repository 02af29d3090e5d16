import type { Collection } from '../../json/index.ts';
import type { FieldSelector, Selector } from '../../selectors/index.ts';

/** A selector in the body of an object, its carrier. */
export interface CarriedSelector {
  /** The selector's path in the carrier's body, unique in one carrier. */
  readonly path: string;
  /** The collection whose objects it selects. */
  readonly target: Collection;
  /** The namespaces of the selected objects; undefined means all, or a cluster-scoped target. */
  readonly namespaces?: readonly string[];
  readonly selector: Selector;
  readonly fields: FieldSelector;
  /** The selector that the labels of an object's namespace must match. */
  readonly namespaceSelector?: Selector;
}
