/** What a mutant stands for, told so that it survives moves of lines: a file, a function, and one small change in it. */
export interface Mutant {
  /** `<file> <function> <operator>: <change>`, with a number where the function has several of the same. */
  readonly id: string;
  /** From the project's root. */
  readonly file: string;
  /** The named functions and classes around it, the outermost first; empty at a module's top. */
  readonly within: string;
  readonly operator: Operator;
  /** What is changed, as people read it: `a < b → a <= b`. */
  readonly change: string;
  /** Where it stands, from 1. */
  readonly line: number;
}

/** Kinds of changes, each the name of one mistake. */
export type Operator =
  | 'negated'
  | 'boundary'
  | 'and/or'
  | 'default dropped'
  | 'early end dropped'
  | 'every/some'
  | 'min/max'
  | 'off by one'
  | 'clause dropped'
  | 'condition dropped'
  | 'comparison swapped'
  | 'await dropped'
  | 'steps swapped'
  | 'in sequence';

/** One replacement of a stretch of a file. */
export interface Change {
  readonly operator: Operator;
  readonly told: string;
  /** The text that stands there instead. */
  readonly text: string;
}

/** A stretch of a file, with all that may stand there instead. */
export interface Site {
  readonly start: number;
  readonly end: number;
  readonly changes: readonly Change[];
  /** Statements that declare: the names, hoisted in front so that the stretch can stand in a branch. */
  readonly statements?: Hoisted;
}

/** A run of statements in which some order is changed. */
export interface Hoisted {
  readonly names: readonly string[];
  /** Texts to overwrite where the statements stay as they are, so that declarations become assignments. */
  readonly assignments: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}
