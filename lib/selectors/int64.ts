const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

/**
 * Parses the integer that a label value spells; undefined if it spells none: decimal digits with an optional sign,
 * leading zeros allowed, within 64 bits, as Go's `strconv.ParseInt(text, 10, 64)`.
 */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > 19) return undefined;
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value >= SMALLEST && value <= LARGEST ? value : undefined;
}
