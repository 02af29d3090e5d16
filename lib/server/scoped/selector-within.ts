import type { Scope } from '../../kubernetes/rbac/index.ts';
import { anyOf, intersect, type Selector } from '../../selectors/index.ts';

/** What a selector selects within a scope: an index is used where the scope asks for a label. */
export function selectorWithin(selector: Selector, scope: Scope): Selector {
  return anyOf(scope.selectors.map((one) => intersect(selector, one)));
}
