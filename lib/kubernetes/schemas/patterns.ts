import type { RE2JS } from 're2js';
import type { Regex } from '../../cel/index.ts';
import { patternWeight } from './pattern-weight.ts';

/** Tests whether a text contains a match. */
export type Pattern = (text: string) => boolean;

type Compile = (typeof RE2JS)['compile'];

interface Compiled {
  readonly matches: Pattern;
  /** Returns the matches from left to right, at most so many; all for a negative limit. */
  readonly find: Regex['find'];
  /** The number of instructions that may run for each character of a text. */
  readonly size: number;
}

/** The maximum number of instructions of one expression. A thousand compile in some milliseconds. */
const HEAVIEST = 10_000;

/** The maximum work of expressions for one object: instructions multiplied by characters. */
const MOST_WORK = 20_000_000;

/** The work of compiling one instruction, in the same unit. */
const COMPILING = 100;

/**
 * The maximum number of cached expressions. Rules may build patterns at run time, so a process cannot cache all of
 * them.
 */
const MOST_COMPILED = 1000;

/** The texts of an object are too long for the patterns of its schema. */
export class PatternWorkError extends Error {
  constructor() {
    super('cannot be matched: the patterns of the schema take too long for values of this size');
    this.name = 'PatternWorkError';
  }
}

let loading: Promise<Patterns> | undefined;

/**
 * Regular expressions of definitions, in RE2's syntax, as in Go. The run time of an expression is linear in the text
 * and in its own size. Limits on the product ensure that neither a hostile expression nor a long text blocks a
 * process. Each expression is compiled once.
 */
export class Patterns {
  readonly #compile: Compile;
  readonly #compiled = new Map<string, Compiled | Error>();
  #left = MOST_WORK;

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  /** Resets the work limit, before the values of another object are matched. */
  refill(): void {
    this.#left = MOST_WORK;
  }

  /**
   * Returns the compiled pattern.
   *
   * @throws Error in Go's words if this is not a regular expression
   * @throws {PatternWorkError} also from the returned pattern
   */
  test(pattern: string): Pattern {
    const compiled = this.#compiledOf(pattern);
    if (compiled instanceof Error) throw compiled;
    return (text) => {
      this.#spend(text.length * compiled.size);
      return compiled.matches(text);
    };
  }

  /** Returns the error in a regular expression, in Go's words; undefined if it is valid. */
  errorOf(pattern: string): string | undefined {
    const compiled = this.#compiledOf(pattern);
    return compiled instanceof Error ? compiled.message : undefined;
  }

  /** Returns a regular expression for rules, whose own budget pays for matches, or what is wrong with it. */
  regexOf(pattern: string): Regex | { readonly error: string } {
    const compiled = this.#compiledOf(pattern);
    if (compiled instanceof Error) return { error: compiled.message };
    return { size: compiled.size, test: compiled.matches, find: compiled.find };
  }

  #compiledOf(pattern: string): Compiled | Error {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = this.#tryCompile(pattern);
    if (this.#compiled.size >= MOST_COMPILED) this.#compiled.clear();
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  #tryCompile(pattern: string): Compiled | Error {
    const weight = patternWeight(pattern);
    // A class is one instruction, but parsing its text takes more than linear time if a bracket is missing.
    if (weight > HEAVIEST || pattern.length > HEAVIEST) {
      return new Error(`error parsing regexp: expression too large: \`${shortened(pattern)}\``);
    }
    this.#spend(weight * COMPILING);
    try {
      const regex = this.#compile(pattern);
      return {
        matches: (text) => regex.test(text),
        find: (text, limit, visit) => findAll(regex, { text, limit, visit }),
        size: regex.programSize(),
      };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new PatternWorkError();
  }
}

interface Search {
  readonly text: string;
  readonly limit: number;
  readonly visit: () => void;
}

function findAll(regex: RE2JS, { text, limit, visit }: Search): string[] {
  const found: string[] = [];
  const matcher = regex.matcher(text);
  let end = -1;
  while (found.length !== limit && matcher.find()) {
    visit();
    // Like Go, it leaves out an empty match right after another one.
    if (matcher.end() > matcher.start() || matcher.start() !== end) found.push(matcher.group() ?? '');
    end = matcher.end();
  }
  return found;
}

function shortened(pattern: string): string {
  return pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
}

/** Loads the library when a process meets its first pattern. */
export function loadPatterns(): Promise<Patterns> {
  loading ??= import('re2js').then(({ RE2JS: library }) => new Patterns((text) => library.compile(text)));
  return loading;
}
