/** One mechanism of the protocol, and how to take it out of the code. */
export interface Mutation {
  /** In kebab-case: also the name of the mutated copy's folder. */
  readonly name: string;
  /** What is taken out, and what it is there for. */
  readonly mechanism: string;
  readonly edits: readonly Edit[];
  /** Which scenario shows it; with which seed is recorded in seeds.json. */
  readonly scenario: string;
}

export interface Edit {
  /** From the project's root. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}
