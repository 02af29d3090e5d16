import type { LabelSet } from './labels.ts';
import type { Requirement } from './requirement.ts';
import { nothing, type Selector } from './selector.ts';

/**
 * Returns the union of selectors: it matches what at least one of them matches. A union has no requirements, and
 * `parseSelector` cannot read its text. Use it only to match, or through {@link choicesOf}.
 */
export function anyOf(choices: readonly Selector[]): Selector {
  const [only, ...others] = choices;
  if (only === undefined) return nothing;
  return others.length === 0 ? only : new SelectorUnion(choices);
}

/** The selectors of a union; for any other selector, the selector itself. */
export function choicesOf(selector: Selector): readonly Selector[] {
  return selector instanceof SelectorUnion ? selector.choices : [selector];
}

class SelectorUnion implements Selector {
  readonly requirements: readonly Requirement[] = [];
  readonly isEmpty = false;
  readonly choices: readonly Selector[];

  constructor(choices: readonly Selector[]) {
    this.choices = choices;
  }

  matches(labels: LabelSet): boolean {
    return this.choices.some((choice) => choice.matches(labels));
  }

  toString(): string {
    return this.choices.join(' || ');
  }
}
