import { readDerivable, type What, whatOf } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';

/**
 * The label of a namespace that names what is derived in it, joined by dots, or `none`. It selects from what the
 * deployment chose, if the deployment chose anything.
 */
export const DERIVED_LABEL = 'winnow.dev/derived';

/** The deployment's choice, for namespaces without a label. */
export type Choice = ReadonlySet<What>;

/** Parses the deployment's choice: names joined by commas. @throws {Error} a name is unknown */
export function readChoice(text: string): Choice {
  const names = readDerivable(text.split(','));
  return names.includes('namespaces') ? new Set() : whatOf(names);
}

/** Returns the choice for a namespace with these labels. */
export function chosenIn(labels: Labels, choice: Choice): Choice {
  const own = labels[DERIVED_LABEL];
  if (own === undefined) return choice;
  const asked = whatOf(own.split('.'));
  return choice.size === 0 ? asked : asked.intersection(choice);
}

/** Whether the deployment may derive it in any namespace. If the deployment chose nothing, its namespaces choose. */
export function mayDerive(choice: Choice, what: What): boolean {
  return choice.size === 0 || choice.has(what);
}
