import type { Collection } from '../../json/index.ts';
import type { FieldSelector, Selector } from '../../selectors/index.ts';

/** A selector that an object carries, its carrier. */
export interface CarriedSelector {
  /** Where it stands in the carrier's body. None twice in one carrier. */
  readonly path: string;
  /** What it selects among. */
  readonly target: Collection;
  /** Objects of which namespaces; undefined: of all, or of a target that has none. */
  readonly namespaces?: readonly string[];
  readonly selector: Selector;
  readonly fields: FieldSelector;
  /** What the labels of an object's namespace must be. */
  readonly namespaceSelector?: Selector;
}
