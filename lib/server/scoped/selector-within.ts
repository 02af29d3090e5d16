import type { Scope } from '../../kubernetes/rbac/index.ts';
import { anyOf, intersect, type Selector } from '../../selectors/index.ts';

/** The intersection of a selector with a scope. A list can use an index for the labels in the scope. */
export function selectorWithin(selector: Selector, scope: Scope): Selector {
  return anyOf(scope.selectors.map((one) => intersect(selector, one)));
}
