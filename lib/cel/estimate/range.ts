/** The smallest and largest value of a cost or a size. Values end at 2⁶⁴ − 1, which also means unknown. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

export const MOST = 2n ** 64n - 1n;
const TWO_TO_64 = 2 ** 64;

export const UNKNOWN: Range = { min: 0n, max: MOST };
export const NOTHING: Range = { min: 0n, max: 0n };
export const ONE: Range = { min: 1n, max: 1n };

/** The cost of scanning one character. */
export const PER_CHARACTER = 0.1;
/** The cost of one character of a regular expression, for each character that it may scan. */
export const PER_PATTERN_CHARACTER = 0.25;

export function fixed(value: bigint): Range {
  return { min: value, max: value };
}

export function add(...ranges: readonly Range[]): Range {
  return ranges.reduce((sum, each) => ({ min: capped(sum.min + each.min), max: capped(sum.max + each.max) }));
}

export function multiply(one: Range, other: Range): Range {
  return { min: capped(one.min * other.min), max: capped(one.max * other.max) };
}

/** Multiplies by a factor and rounds up, in floating-point arithmetic as upstream does. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: scaled(min, factor), max: scaled(max, factor) };
}

/** Returns the range that covers both. */
export function union(one: Range, other: Range): Range {
  return { min: one.min < other.min ? one.min : other.min, max: one.max > other.max ? one.max : other.max };
}

/** The start of a union: it covers nothing. */
export const EMPTY: Range = { min: MOST, max: 0n };

function capped(value: bigint): bigint {
  return value > MOST ? MOST : value;
}

function scaled(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= TWO_TO_64 ? MOST : BigInt(product);
}
