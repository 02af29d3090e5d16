/** Mutants that nothing finds out, and why that is no fault. */
export interface Survivors {
  readonly why: string;
  readonly mutants: readonly string[];
}

export const SURVIVORS: readonly Survivors[] = [];

export function knownSurvivors(): ReadonlySet<string> {
  return new Set(SURVIVORS.flatMap(({ mutants }) => mutants));
}
