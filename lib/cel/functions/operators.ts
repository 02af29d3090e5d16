import {
  CelError,
  compare,
  Duration,
  INT_OVERFLOW,
  ListValue,
  lengthOf,
  MapValue,
  noOverload,
  OpaqueValue,
  SECOND,
  Timestamp,
  TypeValue,
  timestampOf,
  typeNameOf,
  Uint,
  type Value,
} from '../values/index.ts';
import type { Implementations, Runtime } from './implementation.ts';

const UINT_OVERFLOW = new CelError('unsigned integer overflow');
const DIVISION_BY_ZERO = new CelError('division by zero');
const MODULUS_BY_ZERO = new CelError('modulus by zero');

/** Operators, and functions that do the same for all of their overloads, by name. They check their operands. */
export const OPERATORS: Implementations = {
  '_+_': (runtime, one = null, other = null) => add(one, other, runtime),
  '_-_': (_, one = null, other = null) => subtract(one, other),
  '_*_': (_, one = null, other = null) => arithmetic(one, other, MULTIPLY),
  '_/_': (_, one = null, other = null) => arithmetic(one, other, DIVIDE),
  '_%_': (_, one = null, other = null) => arithmetic(one, other, MODULO),
  '-_': (_, value = null) => negate(value),
  '!_': (_, value = null) => (typeof value === 'boolean' ? !value : noOverload(value)),
  '_<_': (runtime, one = null, other = null) => ordered(runtime, [one, other], (order) => order < 0),
  '_<=_': (runtime, one = null, other = null) => ordered(runtime, [one, other], (order) => order <= 0),
  '_>_': (runtime, one = null, other = null) => ordered(runtime, [one, other], (order) => order > 0),
  '_>=_': (runtime, one = null, other = null) => ordered(runtime, [one, other], (order) => order >= 0),
  '@in': (runtime, value = null, container = null) => isIn(runtime, value, container),
  size: (runtime, value = null) => sizeOf(runtime, value),
  type: (_, value = null) => new TypeValue(typeNameOf(value)),
  dyn: (_, value = null) => value,
  matches: ({ meter, regexes }, text = null, pattern = null) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return noOverload(pattern);
    const regex = regexes(pattern);
    if ('error' in regex) return new CelError(regex.error);
    meter.match(regex.size, text.length);
    return regex.test(text);
  },
};

/** How an operator computes ints, uints and doubles. `undefined` has no overload, and an error is one of integers. */
interface Arithmetic {
  readonly integers: (one: bigint, other: bigint) => bigint | CelError;
  readonly doubles?: (one: number, other: number) => number;
}

const PLUS: Arithmetic = {
  integers: (one, other) => one + other,
  doubles: (one, other) => one + other,
};
const MINUS: Arithmetic = {
  integers: (one, other) => one - other,
  doubles: (one, other) => one - other,
};
const MULTIPLY: Arithmetic = {
  integers: (one, other) => one * other,
  doubles: (one, other) => one * other,
};
const DIVIDE: Arithmetic = {
  integers: (one, other) => (other === 0n ? DIVISION_BY_ZERO : one / other),
  doubles: (one, other) => one / other,
};
const MIN_INT = -(1n << 63n);
const MODULO: Arithmetic = {
  integers: (one, other) => {
    if (other === 0n) return MODULUS_BY_ZERO;
    return one === MIN_INT && other === -1n ? INT_OVERFLOW : one % other;
  },
};

function arithmetic(one: Value, other: Value, { integers, doubles }: Arithmetic): Value {
  if (typeof one === 'bigint' && typeof other === 'bigint') return int64(integers(one, other));
  if (one instanceof Uint && other instanceof Uint) return uint64(integers(one.value, other.value));
  const isDouble = doubles !== undefined && typeof one === 'number' && typeof other === 'number';
  return isDouble ? doubles(one, other) : noOverload(other);
}

/** Returns the int, or an error if it needs more than 64 bits. */
export function int64(value: bigint | CelError): bigint | CelError {
  return value instanceof CelError || BigInt.asIntN(64, value) === value ? value : INT_OVERFLOW;
}

export function uint64(value: bigint | CelError): Uint | CelError {
  if (value instanceof CelError) return value;
  return BigInt.asUintN(64, value) === value ? new Uint(value) : UINT_OVERFLOW;
}

/** Adds numbers, texts, bytes, lists, durations and moments. */
export function add(one: Value, other: Value, { meter }: Runtime): Value {
  if (typeof one === 'string' && typeof other === 'string') {
    meter.buildText(one.length + other.length);
    return one + other;
  }
  if (one instanceof ListValue) return one.add(other, meter);
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    meter.buildText(one.length + other.length);
    return new Uint8Array(Buffer.concat([one, other]));
  }
  if (one instanceof Duration && other instanceof Duration) return duration(one.nanos + other.nanos);
  if (one instanceof Duration && other instanceof Timestamp) return moved(other, one.nanos);
  if (one instanceof Timestamp && other instanceof Duration) return moved(one, other.nanos);
  return arithmetic(one, other, PLUS);
}

function subtract(one: Value, other: Value): Value {
  if (one instanceof Duration && other instanceof Duration) return duration(one.nanos - other.nanos);
  if (one instanceof Timestamp && other instanceof Timestamp) return difference(one.nanos, other.nanos);
  if (one instanceof Timestamp && other instanceof Duration) {
    return other.nanos === MIN_INT ? INT_OVERFLOW : moved(one, -other.nanos);
  }
  return arithmetic(one, other, MINUS);
}

/** Returns the difference of two moments. Its whole seconds and their nanoseconds must each have 64 bits. */
function difference(one: bigint, other: bigint): Value {
  const [first, second] = [BigInt.asIntN(64, one / SECOND), BigInt.asIntN(64, other / SECOND)];
  const seconds = int64((first - second) * SECOND);
  return seconds instanceof CelError ? seconds : duration(one - other);
}

function duration(nanos: bigint): Duration | CelError {
  const checked = int64(nanos);
  return checked instanceof CelError ? checked : new Duration(checked);
}

function moved({ nanos, offset }: Timestamp, by: bigint): Timestamp | CelError {
  return timestampOf(nanos + by, offset);
}

function negate(value: Value): Value {
  if (typeof value === 'bigint') return int64(-value);
  if (typeof value === 'number') return -value;
  return value instanceof Duration ? duration(-value.nanos) : noOverload(value);
}

function ordered(
  { meter }: Runtime,
  [one, other]: readonly [Value, Value],
  isTrue: (order: number) => boolean,
): Value {
  if (typeof one === 'string') meter.work(one.length >> 6);
  const order = compare(one, other);
  return order instanceof CelError ? order : isTrue(order);
}

function isIn({ meter }: Runtime, value: Value, container: Value): Value {
  if (container instanceof ListValue) return container.contains(value, meter);
  if (!(container instanceof MapValue)) return noOverload(container);
  const found = container.find(value);
  return found instanceof CelError ? found : found !== undefined;
}

function sizeOf({ meter }: Runtime, value: Value): Value {
  if (typeof value === 'string') {
    meter.work(value.length >> 6);
    return BigInt(lengthOf(value));
  }
  if (value instanceof Uint8Array) return BigInt(value.length);
  if (value instanceof ListValue || value instanceof MapValue) return BigInt(value.size);
  return value instanceof OpaqueValue && value.size !== undefined ? BigInt(value.size) : noOverload(value);
}
