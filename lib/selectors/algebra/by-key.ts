import type { Requirement } from '../requirement.ts';
import type { Selector } from '../selector.ts';

/** `nothing` is the one selector without requirements that is not empty. */
export function isNothing(selector: Selector): boolean {
  return !selector.isEmpty && selector.requirements.length === 0;
}

/**
 * Requirements apart for each label. Labels know nothing of each other, so what a selector matches is the product of
 * what it allows each of them.
 */
export function byKey(...selectors: readonly Selector[]): ReadonlyMap<string, readonly Requirement[]> {
  const groups = new Map<string, Requirement[]>();
  for (const { requirements } of selectors) {
    for (const requirement of requirements) {
      const group = groups.get(requirement.key);
      if (group) {
        group.push(requirement);
      } else {
        groups.set(requirement.key, [requirement]);
      }
    }
  }
  return groups;
}
