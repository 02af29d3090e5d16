import { ENTERED } from './checksum.ts';
import type { Evaluated, Found } from './protocol.ts';

/** Questions that can be asked over and over. */
export interface Questions {
  /** How many evaluations it takes to ask them all. */
  readonly count: number;
  /** Asks them all and returns how many matched. */
  ask(): number;
  /** Calls for each that matches, by its number from 0. */
  visit(match: (question: number) => void): void;
}

/** Asks all questions again and again until the time is over, then once more for the checksum. */
export function evaluate(questions: Questions, milliseconds: number): Evaluated {
  const start = performance.now();
  let passes = 0;
  let hits = 0;
  while (performance.now() < start + milliseconds) {
    hits += questions.ask();
    passes++;
  }
  const nanoseconds = ((performance.now() - start) * 1e6) / (passes * questions.count);
  const found = find(questions);
  if (hits !== passes * found.matches) throw new Error('a selector changed its mind');
  return { nanoseconds, ...found };
}

function find(questions: Questions): Found {
  let matches = 0;
  let sum = 0;
  questions.visit((question) => {
    matches++;
    sum += question + 1;
  });
  return { matches, hash: Math.imul(sum, ENTERED) >>> 0 };
}
