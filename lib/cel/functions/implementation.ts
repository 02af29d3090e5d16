import type { Meter } from '../meter.ts';
import type { Value } from '../values/index.ts';

/** A compiled regular expression in RE2's syntax. */
export interface Regex {
  /** The number of instructions that may run for each character of a text. */
  readonly size: number;
  test(text: string): boolean;
  /** Returns the matches from left to right, without overlaps. A negative limit means all. Calls `visit` for each. */
  find(text: string, limit: number, visit: () => void): readonly string[];
}

/** Compiles a regular expression, or returns what is wrong with it in Go's words. */
export type Regexes = (pattern: string) => Regex | { readonly error: string };

/** What the functions of one evaluation share. */
export interface Runtime {
  readonly meter: Meter;
  readonly regexes: Regexes;
}

/** The function of an overload. It gets values of the overload's types. Errors are returned, not thrown. */
export type Implementation = (runtime: Runtime, ...args: Value[]) => Value;

/** Implementations by overload id. */
export type Implementations = Readonly<Record<string, Implementation>>;

/** Names an implementation whose parameters are narrower than `Value`. The caller checks the arguments' types. */
export function typed<Args extends Value[]>(run: (runtime: Runtime, ...args: Args) => Value): Implementation {
  return run as unknown as Implementation;
}
