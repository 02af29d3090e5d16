import type { Meter } from '../meter.ts';

/** A value of an expression. Ints are `bigint`, doubles are `number`. Errors are values until the evaluation ends. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Duration
  | Timestamp
  | ListValue
  | MapValue
  | OptionalValue
  | TypeValue
  | OpaqueValue
  | CelError;

/** An error of an expression, such as a division by zero. `&&`, `||` and macros may absorb it. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A moment: nanoseconds since 1970, and the zone in which it was written, in seconds east of UTC. */
export class Timestamp {
  readonly nanos: bigint;
  readonly offset: number;

  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos;
    this.offset = offset;
  }
}

export class OptionalValue {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const NONE = new OptionalValue(undefined);

/** A type as a value: `type(1)` and `int`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Thrown where cel-go crashes, as for keys that Go cannot hash. No operator absorbs it. The evaluation ends with its
 * error as the value.
 */
export class AbortedError extends Error {
  readonly value: CelError;

  constructor(message: string) {
    super(message);
    this.name = 'AbortedError';
    this.value = new CelError(message);
  }
}

/** A value of a library's own type, such as a URL. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;

  /** The number of bytes, for types that have a size. */
  get size(): number | undefined {
    return undefined;
  }

  /** A text that only equal values share. Undefined for values that equal no other as keys. */
  get key(): string | undefined {
    return undefined;
  }

  /** True for values that cel-go can convert to a value of Go and back. */
  get isConvertible(): boolean {
    return false;
  }

  /** False for values that cannot be keys of a map. */
  get isHashable(): boolean {
    return true;
  }

  /** The size of a pattern whose cost a check is charged, for types that check texts. */
  readonly patternSize: number | undefined;

  /** @returns an error where values of these types cannot be compared */
  abstract equals(other: Value, meter: Meter): boolean | CelError;
}

/** A list. Its elements do not change, except those of a list that a comprehension builds. */
export abstract class ListValue {
  abstract readonly size: number;

  /** Returns the element at an index below `size`. */
  abstract get(index: number): Value;

  /** @returns an error where an element cannot be compared */
  abstract equals(other: Value, meter: Meter): boolean | CelError;

  abstract contains(value: Value, meter: Meter): boolean | CelError;

  /** Returns both lists as one. */
  abstract add(other: Value, meter: Meter): Value;

  *[Symbol.iterator](): Generator<Value, undefined> {
    const { size } = this;
    for (let at = 0; at < size; at += 1) yield this.get(at);
  }
}

/** A map. Its entries do not change, except those of a map that a literal or a comprehension builds. */
export abstract class MapValue {
  abstract readonly size: number;

  /** The name of the type: `map`, unless the map stands for a struct. */
  get typeName(): string {
    return 'map';
  }

  /** Returns the value of a key; undefined if the map has no such key; an error for keys that it cannot have. */
  abstract find(key: Value): Value | undefined;

  abstract keys(): Iterable<Value>;

  /** The JSON object that the map stands for; undefined for a map of an expression. */
  readonly json: Readonly<Record<string, unknown>> | undefined;

  /** @returns an error where a value cannot be compared */
  abstract equals(other: Value, meter: Meter): boolean | CelError;
}

export const NO_OVERLOAD = new CelError('no such overload');

/** Returns the value if it is an error, otherwise the error of a wrong operand. */
export function noOverload(value: Value): CelError {
  return value instanceof CelError ? value : NO_OVERLOAD;
}
