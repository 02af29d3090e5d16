/** A source of repeatable random choices. */
export interface Chance {
  /** A number from 0 to 1, without 1. */
  next(): number;
  /** A whole number from 0 to the limit, without the limit. */
  below(limit: number): number;
  /** One of the values. */
  pick<Value>(values: readonly Value[]): Value;
}

/** Returns the choices of a seed (mulberry32). The sample inventory is the same on every machine. */
export function chanceOf(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}
