import { fromNodeSelector, type NodeSelector, type NodeView } from '../../selectors/index.ts';
import type { NodeAffinity } from '../objects.ts';

/** A preferred term of a node affinity. */
export interface PreferredTerm {
  readonly selector: NodeSelector;
  readonly weight: number;
}

type Preferences = NonNullable<NodeAffinity['preferredDuringSchedulingIgnoredDuringExecution']>;

/**
 * Reads the preferred terms. It leaves out terms with a weight of 0 or without requirements.
 * @throws SelectorError a selector is invalid
 */
export function readPreferredTerms(preferences: Preferences, path: string): PreferredTerm[] {
  return preferences
    .map(({ weight, preference }, index) => ({
      selector: fromNodeSelector({ nodeSelectorTerms: [preference] }, `${path}[${index}].preference`),
      weight,
    }))
    .filter(({ weight, selector }) => weight !== 0 && selector.terms.length > 0);
}

/** Returns the sum of the weights of the terms that a node matches. */
export function sumPreferences(terms: readonly PreferredTerm[], node: NodeView): number {
  let sum = 0;
  for (const { selector, weight } of terms) if (selector.matches(node)) sum += weight;
  return sum;
}
