import { fromNodeSelector, type NodeSelector, type NodeView } from '../selectors/index.ts';
import type { NodeAffinity } from './objects.ts';

/** A preference of a node affinity. */
export interface PreferredTerm {
  readonly selector: NodeSelector;
  readonly weight: number;
}

type Preferences = NonNullable<NodeAffinity['preferredDuringSchedulingIgnoredDuringExecution']>;

/**
 * A preference that weighs or asks nothing is left out.
 * @throws SelectorError where a selector is none
 */
export function readPreferredTerms(preferences: Preferences, path: string): PreferredTerm[] {
  return preferences
    .map(({ weight, preference }, index) => ({
      selector: fromNodeSelector({ nodeSelectorTerms: [preference] }, `${path}[${index}].preference`),
      weight,
    }))
    .filter(({ weight, selector }) => weight !== 0 && selector.terms.length > 0);
}

/** The weights of the preferences that a node meets. */
export function sumPreferences(terms: readonly PreferredTerm[], node: NodeView): number {
  let sum = 0;
  for (const { selector, weight } of terms) if (selector.matches(node)) sum += weight;
  return sum;
}
