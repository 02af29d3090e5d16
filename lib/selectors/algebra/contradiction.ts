import type { Requirement } from '../requirement.ts';
import { LabelStates, narrowestFirst, statesOf } from './label-states.ts';

/** The reason why a selector matches nothing: requirements on one label that no state of the label meets. */
export interface Contradiction {
  readonly key: string;
  /**
   * The requirements in the order of the selector. Each is needed for the contradiction, unless there are more than
   * 128.
   */
  readonly requirements: readonly Requirement[];
  /** The reason as a message: `no label "a" meets a=1 and a=2 at once`. */
  readonly reason: string;
}

/**
 * The most requirements to shorten: trying to leave out each one takes quadratic time. A longer contradiction is
 * returned as found.
 */
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
