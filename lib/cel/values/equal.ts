import type { Meter } from '../meter.ts';
import { compareNumbers, isNumeric } from './compare.ts';
import { CelError, Duration, OptionalValue, Timestamp, TypeValue, type Value } from './value.ts';

/**
 * Compares values of any types, as cel-go's types.Equal does: 1 equals 1.0, and NaN equals nothing.
 *
 * @returns an error where one value has a type whose values cannot be compared with the other
 */
export function equal(one: Value, other: Value, meter: Meter): boolean | CelError {
  meter.compare();
  if (one === null || other === null) return one === other;
  if (one instanceof CelError) return one;
  if (typeof one === 'string') {
    meter.work(one.length >> 8);
    return one === other;
  }
  if (typeof one === 'boolean') return one === other;
  if (isNumeric(one)) return isNumeric(other) && compareNumbers(one, other) === 0;
  if (one instanceof Uint8Array) return other instanceof Uint8Array && Buffer.compare(one, other) === 0;
  if (one instanceof Duration) return other instanceof Duration && one.nanos === other.nanos;
  if (one instanceof Timestamp) return other instanceof Timestamp && one.nanos === other.nanos;
  if (one instanceof TypeValue) return other instanceof TypeValue && one.name === other.name;
  if (one instanceof OptionalValue) return equalOptionals(one, other, meter);
  return one.equals(other, meter);
}

function equalOptionals(one: OptionalValue, other: Value, meter: Meter): boolean | CelError {
  if (!(other instanceof OptionalValue)) return false;
  if (one.value === undefined || other.value === undefined) return one.value === other.value;
  return equal(one.value, other.value, meter);
}
