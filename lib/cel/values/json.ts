import type { Shape } from '../shape.ts';
import { JsonList } from './json-lists.ts';
import { JsonMap } from './json-maps.ts';
import { ArrayList } from './lists.ts';
import { PlainMap } from './maps.ts';
import { sameJson } from './same-json.ts';
import { parseDuration, parseTimestamp, SECOND } from './time-text.ts';
import { CelError, Duration, OpaqueValue, OptionalValue, Timestamp, TypeValue, type Value } from './value.ts';

/**
 * Returns the CEL value of a JSON value. Lists and objects are wrapped: their elements become values when they are
 * read. A value that its shape does not allow becomes an error.
 */
export function fromJson(json: unknown, shape: Shape): Value {
  if (shape.form === 'dyn') return fromAnyJson(json);
  if (json === null || json === undefined) {
    return shape.nullable ? null : new CelError('invalid data, got null for schema with nullable=false');
  }
  switch (shape.form) {
    case 'object':
    case 'map':
      return isObject(json)
        ? new JsonMap(json, shape, fromJson)
        : wrong('a map for the provided schema with type=object');
    case 'list':
      return listOf(json, shape);
    case 'int-or-string':
      if (typeof json === 'string') return json;
      return integerOf(json) ?? wrong('XIntOrString value to be either a string or integer');
    case 'int':
      return integerOf(json) ?? wrong('int');
    case 'double':
      return typeof json === 'number' ? json : wrong('float');
    case 'bool':
      return typeof json === 'boolean' ? json : wrong('bool');
    case 'unknown':
      return new UnknownJson(json);
    default:
      return typeof json === 'string' ? textOf(json, shape.form) : wrong('string');
  }
}

function wrong(expected: string): CelError {
  return new CelError(`invalid data, expected ${expected}`);
}

function listOf(json: unknown, shape: Shape): Value {
  if (!Array.isArray(json)) return wrong('an array for the provided schema with type=array');
  if (shape.element === undefined) {
    return new CelError('invalid array type, expected Items with a non-empty Schema');
  }
  return new JsonList(json, shape, fromJson);
}

/** Returns the value of JSON without a schema. Whole numbers are ints. */
function fromAnyJson(json: unknown): Value {
  if (json === null || json === undefined) return null;
  if (typeof json === 'string' || typeof json === 'boolean') return json;
  if (typeof json === 'number') return integerOf(json) ?? json;
  if (Array.isArray(json)) return new AnyList(json);
  return isObject(json) ? new AnyMap(json) : wrong('JSON');
}

/**
 * Returns the value of an optional as cel-go sees it where the optional is read from a variable or an expression: as a
 * value of Go that nothing describes. Its schema is lost, a type is its name, and URLs and others become errors.
 */
export function withoutShape(value: Value): Value {
  if (value instanceof OptionalValue) return value.value === undefined ? null : withoutShape(value.value);
  if (value instanceof JsonMap) return fromAnyJson(value.json);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof OpaqueValue && !value.isConvertible) {
    return new CelError(`unsupported conversion of a value of type ${value.typeName}`);
  }
  if (!(value instanceof JsonList)) return value;
  return new ArrayList(value.rawElements(fromAnyJson));
}

/** A list without a schema. It compares and adds as lists of expressions do. */
class AnyList extends ArrayList {
  readonly #json: readonly unknown[];

  constructor(json: readonly unknown[]) {
    super([]);
    this.#json = json;
  }

  override get size(): number {
    return this.#json.length;
  }

  override get(index: number): Value {
    return fromAnyJson(this.#json[index]);
  }

  override *[Symbol.iterator](): Generator<Value, undefined> {
    for (const each of this.#json) yield fromAnyJson(each);
  }
}

/** A map without a schema. */
class AnyMap extends PlainMap {
  override readonly json: Readonly<Record<string, unknown>>;

  constructor(json: Readonly<Record<string, unknown>>) {
    super();
    this.json = json;
  }

  override get size(): number {
    return Object.keys(this.json).length;
  }

  override find(key: Value): Value | undefined {
    return typeof key === 'string' && Object.hasOwn(this.json, key) ? fromAnyJson(this.json[key]) : undefined;
  }

  override keys(): Iterable<Value> {
    return Object.keys(this.json);
  }
}

/** A value whose schema says nothing. It can only be compared. */
class UnknownJson extends OpaqueValue {
  override readonly typeName = 'unknown';
  readonly #json: unknown;

  constructor(json: unknown) {
    super();
    this.#json = json;
  }

  override equals(other: Value): boolean {
    return other instanceof UnknownJson ? sameJson(this.#json, other.#json) : this.#json === plain(other);
  }
}

function plain(value: Value): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function integerOf(json: unknown): bigint | undefined {
  if (typeof json !== 'number' || !Number.isInteger(json)) return undefined;
  const whole = BigInt(json);
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function textOf(text: string, form: Shape['form']): Value {
  if (form === 'bytes') {
    const isValid = text.length % 4 === 0 && /^[A-Za-z0-9_-]*={0,2}$/.test(text);
    if (isValid) return new Uint8Array(Buffer.from(text, 'base64url'));
    return new CelError(`Invalid byte formatted string ${text}: illegal base64 data`);
  }
  if (form === 'duration') {
    return (
      parseDuration(text) ??
      looseDuration(text) ??
      new CelError(`Invalid duration ${text}: unable to parse it`)
    );
  }
  if (form === 'date') {
    return momentOf(`${text}T00:00:00Z`) ?? new CelError(`Invalid date formatted string ${text}`);
  }
  if (form === 'date-time') {
    if (text === '') return new Timestamp(0n);
    return (
      momentOf(text) ?? momentOf(`${text}Z`) ?? new CelError(`Invalid date-time formatted string ${text}`)
    );
  }
  return text;
}

function momentOf(text: string): Timestamp | undefined {
  const read = parseTimestamp(text);
  return read instanceof Timestamp ? read : undefined;
}

/** The units of durations that Go does not know: exact names, and prefixes of longer ones. */
const LOOSE: readonly (readonly [names: RegExp, nanos: bigint])[] = [
  [/^(ns|nano.*)$/, 1n],
  [/^(us|µs|micro.*)$/, 1000n],
  [/^(ms|milli.*)$/, 1_000_000n],
  [/^(s|sec.*)$/, SECOND],
  [/^(m|min.*)$/, 60n * SECOND],
  [/^(h|hr|hour.*)$/, 3600n * SECOND],
  [/^(d|day.*)$/, 86_400n * SECOND],
  [/^(w|wk|week.*)$/, 604_800n * SECOND],
];

/** The most characters of a duration that is written loosely. */
const LONGEST_DURATION = 1000;

/** Reads `3 days` and `1 week 2 hours`. */
function looseDuration(text: string): Duration | undefined {
  if (text.length > LONGEST_DURATION) return undefined;
  let total: bigint | undefined;
  for (const [, factor = '', unit = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    if (factor.length > 18) return undefined;
    const nanos = LOOSE.find(([names]) => names.test(unit.toLowerCase()))?.[1];
    if (nanos !== undefined) total = (total ?? 0n) + BigInt(factor) * nanos;
  }
  return total === undefined ? undefined : new Duration(BigInt.asIntN(64, total));
}
