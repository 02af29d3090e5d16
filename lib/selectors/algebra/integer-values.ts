/**
 * The largest integer of a label value. `>` and `<` read label values of at most 63 decimal digits within 64 bits. No
 * label value is a negative integer, because none begins with a sign. Leading zeros give one integer several
 * spellings (`6`, `06`, `006` …). A range of integers is therefore a finite set of values, and larger than it looks:
 * 63 values lie between 5 and 7.
 */

export const LARGEST_INTEGER = 9223372036854775807n;

/** The fewest spellings of any integer: the largest ones take 19 digits and leave room for 44 zeros. */
export const FEWEST_SPELLINGS = 45;

const LONGEST_VALUE = 63;

/** The integers from `low` to `high`, both included. */
export interface IntegerRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** The number of label values that spell an integer of the range. */
export function countSpellings({ low, high }: IntegerRange): bigint {
  return low > high ? 0n : countUpTo(high) - countUpTo(low - 1n);
}

/**
 * The number of spellings of all integers up to this one. Integers with the same number of digits have equally many
 * spellings: 64 minus that number.
 */
function countUpTo(integer: bigint): bigint {
  if (integer < 0n) return 0n;
  const digits = integer.toString().length;
  const { least, shorter } = LENGTHS[digits - 1] ?? { least: 0n, shorter: 0n };
  return shorter + (integer - least + 1n) * BigInt(LONGEST_VALUE + 1 - digits);
}

/** For each number of digits: the least integer, and the number of values that spell an integer of fewer digits. */
const LENGTHS = /* @__PURE__ */ measureLengths();

function measureLengths(): readonly { readonly least: bigint; readonly shorter: bigint }[] {
  const lengths = [{ least: 0n, shorter: 0n }];
  let shorter = 10n * BigInt(LONGEST_VALUE);
  for (let least = 10n; least <= LARGEST_INTEGER; least *= 10n) {
    const width = BigInt(least.toString().length);
    lengths.push({ least, shorter });
    shorter += 9n * least * (BigInt(LONGEST_VALUE) + 1n - width);
  }
  return lengths;
}

/** Generates every label value that spells an integer of the range. Call `countSpellings` first: there may be many. */
export function* spellings({ low, high }: IntegerRange): Generator<string> {
  for (let integer = low; integer <= high; integer++) {
    const shortest = integer.toString();
    for (let width = shortest.length; width <= LONGEST_VALUE; width++) yield shortest.padStart(width, '0');
  }
}
