/** Mutants that nothing finds out, and why that is no fault. */
export interface Survivors {
  readonly why: string;
  readonly mutants: readonly string[];
}
