import type { RE2JS } from 're2js';

/** Tests a text; matches anywhere in it count. */
export type Pattern = (text: string) => boolean;

type Compile = (typeof RE2JS)['compile'];

let loading: Promise<Patterns> | undefined;

/**
 * Regular expressions of definitions: RE2's syntax, as Go has, matched in linear time, so that a hostile one cannot
 * hang a function. Each text is compiled once.
 */
export class Patterns {
  readonly #compile: Compile;
  readonly #compiled = new Map<string, Pattern | Error>();

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  /** @throws Error in Go's words: this is no regular expression */
  test(pattern: string): Pattern {
    const compiled = this.#compiled.get(pattern) ?? this.#compileOnce(pattern);
    if (compiled instanceof Error) throw compiled;
    return compiled;
  }

  /** What is wrong with a regular expression, in Go's words; undefined where nothing is. */
  errorOf(pattern: string): string | undefined {
    const compiled = this.#compiled.get(pattern) ?? this.#compileOnce(pattern);
    return compiled instanceof Error ? compiled.message : undefined;
  }

  #compileOnce(pattern: string): Pattern | Error {
    const compiled = this.#tryCompile(pattern);
    if (this.#compiled.size >= MOST_COMPILED) this.#compiled.clear();
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  #tryCompile(pattern: string): Pattern | Error {
    try {
      const regex = this.#compile(pattern);
      return (text) => regex.test(text);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** A rule may build its patterns at run time: no process keeps all of them. */
const MOST_COMPILED = 1000;

/** Loads the library the first time that a process meets a pattern. */
export function loadPatterns(): Promise<Patterns> {
  loading ??= import('re2js').then(({ RE2JS: library }) => new Patterns((text) => library.compile(text)));
  return loading;
}
