import { CelError, Duration, noOverload, Timestamp, Uint, type Value } from './value.ts';

export type Numeric = bigint | number | Uint;

export function isNumeric(value: Value): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/**
 * Compares numbers of any types. An integer is rounded to a double before it is compared with one, as in cel-go.
 *
 * @returns NaN if one of them is NaN
 */
export function compareNumbers(one: Numeric, other: Numeric): number {
  const left = one instanceof Uint ? one.value : one;
  const right = other instanceof Uint ? other.value : other;
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0;
  const [a, b] = [Number(left), Number(right)];
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
}

/**
 * Orders two values: a negative number, 0, or a positive number.
 *
 * @returns an error for values without an order
 */
export function compare(one: Value, other: Value): number | CelError {
  if (isNumeric(one)) {
    if (!isNumeric(other)) return noOverload(other);
    const order = compareNumbers(one, other);
    return Number.isNaN(order) ? new CelError('NaN values cannot be ordered') : order;
  }
  if (typeof one === 'string') {
    return typeof other === 'string' ? compareTexts(one, other) : noOverload(other);
  }
  if (typeof one === 'boolean') {
    return typeof other === 'boolean' ? Number(one) - Number(other) : noOverload(other);
  }
  if (one instanceof Uint8Array) {
    return other instanceof Uint8Array ? Buffer.compare(one, other) : noOverload(other);
  }
  if (one instanceof Duration && other instanceof Duration) return compareNumbers(one.nanos, other.nanos);
  if (one instanceof Timestamp && other instanceof Timestamp) return compareNumbers(one.nanos, other.nanos);
  return noOverload(other);
}

/** Orders texts by code points. UTF-16 units have another order. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return one.length - other.length;
}

/** True for half of a character above U+FFFF, which sorts after all others. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
