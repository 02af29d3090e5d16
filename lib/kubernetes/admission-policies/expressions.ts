import type { Regexes } from '../../cel/index.ts';
import { loadPatterns } from '../schemas/patterns.ts';

/** What compiling an expression needs. A process loads it once. */
export interface Expressions {
  readonly regexes: Regexes;
  /** Resets the work limit of regular expressions, before another write is decided. */
  readonly refill: () => void;
}

/** Loads the library for regular expressions. */
export async function loadExpressions(): Promise<Expressions> {
  const patterns = await loadPatterns();
  return { regexes: (pattern) => patterns.regexOf(pattern), refill: () => patterns.refill() };
}
