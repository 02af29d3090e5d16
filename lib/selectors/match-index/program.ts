import { UNKNOWN } from './atoms.ts';
import type { EventStates } from './event-states.ts';

/**
 * The bits of a word. A program is a list of clauses that must all hold. A clause is one word, or several
 * alternatives of which one must hold. A word is `atom << 2`, plus {@link MORE} where an alternative follows, plus
 * {@link NEGATED}.
 */
export const NEGATED = 1;
export const MORE = 2;

/** A clause, and how often events are expected to meet it. */
export interface Weighed {
  readonly words: readonly number[];
  readonly weight: number;
}

export function byWeight(left: Weighed, right: Weighed): number {
  if (left.weight === right.weight) return 0;
  return left.weight < right.weight ? -1 : 1;
}

/** The words of the clause that begins at `start`. */
export function clauseAt(program: readonly number[], start: number): readonly number[] {
  let end = start;
  while ((program[end] as number) & MORE) end++;
  return program.slice(start, end + 1);
}

/** The states of the current event in which a program holds, as bits. */
export function evaluate(program: readonly number[], event: EventStates): number {
  let bits = event.live;
  let any = 0;
  for (const word of program) {
    const state = event.states[word >> 2] as number;
    any |= (state === UNKNOWN ? event.evaluate(word >> 2) : state) ^ -(word & NEGATED);
    if (word & MORE) continue;
    bits &= any;
    any = 0;
  }
  return bits;
}
