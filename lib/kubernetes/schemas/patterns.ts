import type { RE2JS } from 're2js';
import { patternWeight } from './pattern-weight.ts';

/** Tests a text; matches anywhere in it count. */
export type Pattern = (text: string) => boolean;

type Compile = (typeof RE2JS)['compile'];

interface Compiled {
  readonly matches: Pattern;
  /** How many instructions each character of a text may run through. */
  readonly size: number;
}

/** Instructions of one expression: a thousand take some milliseconds to compile. */
const HEAVIEST = 10_000;

/** Instructions times characters of all texts of one object that expressions may run through. */
const MOST_WORK = 20_000_000;

/** Instructions times characters that compiling an instruction counts as. */
const COMPILING = 100;

/** A rule may build its patterns at run time: no process keeps all of them. */
const MOST_COMPILED = 1000;

/** The texts of an object are too long for the expressions that they are matched with. */
export class PatternWorkError extends Error {
  constructor() {
    super('cannot be matched: the patterns of the schema take too long for values of this size');
    this.name = 'PatternWorkError';
  }
}

let loading: Promise<Patterns> | undefined;

/**
 * Regular expressions of definitions: RE2's syntax, as Go has. An expression runs in time linear in the text and in its
 * own size. Counters bound the product, so that neither a hostile expression nor a long text holds up a process. Each
 * text is compiled once.
 */
export class Patterns {
  readonly #compile: Compile;
  readonly #compiled = new Map<string, Compiled | Error>();
  #left = MOST_WORK;

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  /** Before the values of another object are matched. */
  refill(): void {
    this.#left = MOST_WORK;
  }

  /**
   * @throws Error in Go's words: this is no regular expression
   * @throws {PatternWorkError} also from the pattern that is returned
   */
  test(pattern: string): Pattern {
    const compiled = this.#compiledOf(pattern);
    if (compiled instanceof Error) throw compiled;
    return (text) => {
      this.#spend(text.length * compiled.size);
      return compiled.matches(text);
    };
  }

  /** What is wrong with a regular expression, in Go's words; undefined where nothing is. */
  errorOf(pattern: string): string | undefined {
    const compiled = this.#compiledOf(pattern);
    return compiled instanceof Error ? compiled.message : undefined;
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
    // A class is one instruction, but its text is parsed, in more than linear time where a bracket is missing.
    if (weight > HEAVIEST || pattern.length > HEAVIEST) {
      return new Error(`error parsing regexp: expression too large: \`${shortened(pattern)}\``);
    }
    this.#spend(weight * COMPILING);
    try {
      const regex = this.#compile(pattern);
      return { matches: (text) => regex.test(text), size: regex.programSize() };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new PatternWorkError();
  }
}

function shortened(pattern: string): string {
  return pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
}

/** Loads the library the first time that a process meets a pattern. */
export function loadPatterns(): Promise<Patterns> {
  loading ??= import('re2js').then(({ RE2JS: library }) => new Patterns((text) => library.compile(text)));
  return loading;
}
