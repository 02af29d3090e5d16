/**
 * The label values that `>` and `<` see: decimal digits, at most 63 of them, within 64 bits. No label value spells a
 * negative integer, for none begins with a sign. Leading zeros make several values of one integer (`6`, `06`, `006`
 * …), so a range of integers is a finite set of values, and a larger one than it seems: 63 values lie between 5 and 7.
 */

export const LARGEST_INTEGER = 9223372036854775807n;

/** No integer has fewer spellings: the largest ones take 19 digits and leave room for 44 zeros. */
export const FEWEST_SPELLINGS = 45;

const LONGEST_VALUE = 63;

/** Integers from `low` to `high`, both included. */
export interface IntegerRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** How many label values spell an integer of the range. */
export function countSpellings({ low, high }: IntegerRange): bigint {
  return low > high ? 0n : countUpTo(high) - countUpTo(low - 1n);
}

/** Integers of one length have equally many spellings: a value's 63 places, less the digits but the first. */
function countUpTo(integer: bigint): bigint {
  if (integer < 0n) return 0n;
  const digits = integer.toString().length;
  const { least, shorter } = LENGTHS[digits - 1] ?? { least: 0n, shorter: 0n };
  return shorter + (integer - least + 1n) * BigInt(LONGEST_VALUE + 1 - digits);
}

/** For each number of digits the least integer, and how many values spell an integer of fewer digits. */
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

/** Every label value that spells an integer of the range. Ask `countSpellings` first: there may be many. */
export function* spellings({ low, high }: IntegerRange): Generator<string> {
  for (let integer = low; integer <= high; integer++) {
    const shortest = integer.toString();
    for (let width = shortest.length; width <= LONGEST_VALUE; width++) yield shortest.padStart(width, '0');
  }
}
