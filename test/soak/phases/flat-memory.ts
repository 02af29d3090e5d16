/** How many times the memory of the second quarter that of the last one may be. */
export const MOST = 1.2;

interface Compared {
  /** Medians of the second and of the last quarter. */
  readonly second: number;
  readonly last: number;
  readonly isFlat: boolean;
}

/** The first quarter is that in which a process warms up. */
export function compareQuarters(memory: readonly number[]): Compared {
  const [second, last] = [medianOf(quarter(memory, 1)), medianOf(quarter(memory, 3))];
  return { second, last, isFlat: last <= second * MOST };
}

function quarter(values: readonly number[], at: number): readonly number[] {
  const size = values.length / 4;
  return values.slice(Math.floor(size * at), Math.floor(size * (at + 1)));
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
