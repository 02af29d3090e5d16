import { isMap, type LabelSet, type Labels, readRecord } from './labels.ts';
import type { LabelRequirement, Requirement } from './requirement.ts';
import { compareUtf8 } from './utf8.ts';

/** A condition on labels: all of its requirements must hold. They are sorted by key. Immutable. */
export interface Selector {
  readonly requirements: readonly Requirement[];
  /** True where the selector restricts nothing. `nothing` has no requirements either, but is not empty. */
  readonly isEmpty: boolean;
  matches(labels: LabelSet): boolean;
  /** The canonical text; `parseSelector` parses it to the same selector. */
  toString(): string;
}

/** Matches every object. */
export const everything: Selector = {
  requirements: [],
  isEmpty: true,
  matches: () => true,
  toString: () => '',
};

/** Matches no object. Its text is empty too, because the language has no text for it; compare by identity. */
export const nothing: Selector = {
  requirements: [],
  isEmpty: false,
  matches: () => false,
  toString: () => '',
};

/**
 * Creates the conjunction. Requirements on one key keep their order, also beyond twelve requirements. There Go's sort
 * may swap them, which changes Kubernetes' text but not its meaning.
 */
export function createSelector(unordered: readonly LabelRequirement[]): Selector {
  return unordered.length === 0 ? everything : new LabelSelector(unordered);
}

class LabelSelector implements Selector {
  readonly requirements: readonly LabelRequirement[];
  readonly isEmpty = false;

  constructor(unordered: readonly LabelRequirement[]) {
    this.requirements = unordered.toSorted((left, right) => compareUtf8(left.key, right.key));
  }

  matches(labels: LabelSet): boolean {
    return isMap(labels) ? this.#matchesMap(labels) : this.#matchesRecord(labels);
  }

  toString(): string {
    return this.requirements.join(',');
  }

  #matchesMap(labels: ReadonlyMap<string, string>): boolean {
    for (const requirement of this.requirements) {
      if (!requirement.accepts(labels.get(requirement.key))) return false;
    }
    return true;
  }

  #matchesRecord(labels: Labels): boolean {
    for (const requirement of this.requirements) {
      if (!requirement.accepts(readRecord(labels, requirement.key))) return false;
    }
    return true;
  }
}
