import type { Requirement } from '../requirement.ts';
import type { Selector } from '../selector.ts';

/** Whether a selector is `nothing`: the only selector that has no requirements and is not empty. */
export function isNothing(selector: Selector): boolean {
  return !selector.isEmpty && selector.requirements.length === 0;
}

/**
 * Groups requirements by label key. Labels are independent of each other. A selector therefore matches the product of
 * the states that it allows for each key.
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
