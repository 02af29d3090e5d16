import { createRequirement } from '../requirement.ts';
import { createSelector, nothing, type Selector } from '../selector.ts';
import { byKey, isNothing } from './by-key.ts';
import { statesOf } from './label-states.ts';

/**
 * Set relations between selectors. The results are exact, not conservative, over every label set that Kubernetes
 * would store (valid keys and values).
 */

/** Whether every label set that `a` matches is matched by `b`. */
export function implies(a: Selector, b: Selector): boolean {
  if (isNothing(a)) return true;
  const ours = byKey(a);
  const asked = byKey(b);
  // Every requirement excludes some state of its label. A requirement on a label that `a` does not restrict is thus
  // not implied.
  let implied = !isNothing(b) && [...asked.keys()].every((key) => ours.has(key));
  for (const [key, own] of ours) {
    const { count } = statesOf(own);
    if (count === 0n) return true;
    const more = asked.get(key) ?? [];
    // A subset of a finite set equals it exactly where both have the same size.
    implied &&= more.length === 0 || statesOf([...own, ...more]).count === count;
  }
  return implied;
}

/** Whether some label set matches both. */
export function canOverlap(a: Selector, b: Selector): boolean {
  return canMatch(a, b);
}

/** Whether both match the same label sets, however they are spelled. */
export function equal(a: Selector, b: Selector): boolean {
  return implies(a, b) && implies(b, a);
}

/** The selector that matches what both match, for example a tenant's request within the tenant's scope. */
export function intersect(a: Selector, b: Selector): Selector {
  if (isNothing(a) || isNothing(b)) return nothing;
  if (a.isEmpty || b.isEmpty) return a.isEmpty ? b : a;
  const both = [...a.requirements, ...b.requirements];
  return createSelector(both.map(({ key, operator, values }) => createRequirement(key, operator, values)));
}

/** Whether some label set matches all. */
function canMatch(...selectors: readonly Selector[]): boolean {
  if (selectors.some(isNothing)) return false;
  for (const requirements of byKey(...selectors).values()) {
    if (statesOf(requirements).count === 0n) return false;
  }
  return true;
}
