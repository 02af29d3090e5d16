import type { Requirement } from '../requirement.ts';
import { LabelStates, narrowestFirst, statesOf } from './label-states.ts';

/** Why a selector can match nothing: requirements on one label that no state of the label meets. */
export interface Contradiction {
  readonly key: string;
  /** In the order of the selector. None can be left out, unless there are more than 128. */
  readonly requirements: readonly Requirement[];
  /** For a person: `no label "a" meets a=1 and a=2 at once`. */
  readonly reason: string;
}

/** Trying to leave each one out takes quadratic time; a longer contradiction is given as it was found. */
const LONGEST_TO_SHORTEN = 128;

/** Finds the contradiction among requirements on one label, if there is one. */
export function findContradiction(
  key: string,
  requirements: readonly Requirement[],
): Contradiction | undefined {
  const states = new LabelStates();
  const narrowing: Requirement[] = [];
  let left = states.count;
  for (const requirement of narrowestFirst(requirements)) {
    states.narrow(requirement);
    if (states.count === left) continue;
    left = states.count;
    narrowing.push(requirement);
    if (left === 0n) return describe(key, new Set(shorten(narrowing)), requirements);
  }
  return undefined;
}

function shorten(contradicting: readonly Requirement[]): readonly Requirement[] {
  if (contradicting.length > LONGEST_TO_SHORTEN) return contradicting;
  return contradicting.reduce<readonly Requirement[]>((needed, candidate) => {
    const others = needed.filter((requirement) => requirement !== candidate);
    return statesOf(others).count === 0n ? others : needed;
  }, contradicting);
}

function describe(key: string, needed: ReadonlySet<Requirement>, all: readonly Requirement[]): Contradiction {
  const requirements = all.filter((requirement) => needed.has(requirement));
  const [only] = requirements;
  const reason =
    requirements.length === 1
      ? `no label value meets ${only}`
      : `no label ${JSON.stringify(key)} meets ${requirements.join(' and ')} at once`;
  return { key, requirements, reason };
}
