import { readDerivable, type What, whatOf } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';

/** On a namespace: what is derived in it, joined by dots, or `none`: some of what the deployment chose, if it did. */
export const DERIVED_LABEL = 'winnow.dev/derived';

/** What a deployment derives where a namespace says nothing. */
export type Choice = ReadonlySet<What>;

/** Reads the deployment's choice: names joined by commas. @throws {Error} a name that is none */
export function readChoice(text: string): Choice {
  const names = readDerivable(text.split(','));
  return names.includes('namespaces') ? new Set() : whatOf(names);
}

/** What is derived in a namespace that has these labels. */
export function chosenIn(labels: Labels, choice: Choice): Choice {
  const own = labels[DERIVED_LABEL];
  if (own === undefined) return choice;
  const asked = whatOf(own.split('.'));
  return choice.size === 0 ? asked : asked.intersection(choice);
}

/** Whether a deployment may derive it anywhere: where it chose nothing its namespaces do. */
export function mayDerive(choice: Choice, what: What): boolean {
  return choice.size === 0 || choice.has(what);
}
