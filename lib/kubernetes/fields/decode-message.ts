import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { decodeScalar } from './decode-scalar.ts';
import type { Field, FieldType, Message } from './message.ts';
import { UnmarshalError } from './unmarshal-error.ts';

export interface Decoded {
  /** The object as Go would write it after reading: only known fields, with zero values where Go writes them. */
  readonly value: JsonObject;
  /** The paths of unknown fields, at most {@link MOST_FAULTS}: `spec.containers[0].foo`. */
  readonly unknown: readonly string[];
}

export interface DecodeOptions {
  /** Fields of the object that are not part of its type (apiVersion and kind of a whole object) and are kept. */
  readonly fixed?: readonly string[];
  /**
   * The source texts of numbers, by path, that differ from the form that JSON writes. For example, `2.0` is not an
   * integer.
   */
  readonly literals?: ReadonlyMap<string, string>;
  /** Called with each decoded message, inner ones first, including messages that were absent. It may add fields. */
  complete?(message: Message, decoded: JsonObject): void;
}

/** The limit of faults that one answer names: unknown fields and duplicate fields. As in sigs.k8s.io/json. */
export const MOST_FAULTS = 100;

/** The current position, in two notations for messages: with and without list indexes. */
interface Place {
  /** `spec.containers[0]` */
  readonly path: string;
  /** `spec.containers`: the notation in Go's errors. */
  readonly goPath: string;
}

/**
 * Decodes a JSON value as an object of the type, as Kubernetes' decoder does. Unknown fields are dropped and
 * reported. Null counts as absent. Quantities and times get their canonical form.
 *
 * @throws {UnmarshalError} a value does not have the type of its field
 */
export function decodeMessage(message: Message, value: JsonObject, options: DecodeOptions = {}): Decoded {
  const unknown: string[] = [];
  const decoder = new Decoder(unknown, options);
  const { kept, rest } = divide(value, options.fixed ?? []);
  return { value: { ...kept, ...decoder.message(message, rest, { path: '', goPath: '' }) }, unknown };
}

class Decoder {
  readonly #unknown: string[];
  readonly #literals: ReadonlyMap<string, string> | undefined;
  readonly #complete: DecodeOptions['complete'];

  constructor(unknown: string[], { literals, complete }: DecodeOptions) {
    this.#unknown = unknown;
    this.#literals = literals;
    this.#complete = complete;
  }

  message(message: Message, value: JsonObject, place: Place): JsonObject {
    const { fields } = message;
    for (const name in value) {
      if (!fields.has(name) && !(message.envelope && ENVELOPE.has(name))) {
        if (this.#unknown.length < MOST_FAULTS) this.#unknown.push(join(place.path, name));
      }
    }
    const decoded: JsonObject = {};
    for (const field of fields.values()) {
      const given = Object.hasOwn(value, field.name) ? (value[field.name] ?? null) : null;
      const read = given === null ? undefined : this.#field(field, given, message, place);
      const written = read === undefined ? this.#zeroOf(field) : read;
      if (written !== undefined) decoded[field.name] = written;
    }
    this.#complete?.(message, decoded);
    return decoded;
  }

  /** Returns the field's value; undefined if it is zero and zero is not written. */
  #field(field: Field, value: JsonValue, owner: Message, { path, goPath }: Place): JsonValue | undefined {
    const at: Site = {
      field,
      owner,
      path: join(path, field.name),
      goPath: join(goPath, field.name),
    };
    const read = this.#contained(field.container, value, at);
    if (!field.omitEmpty || field.pointer) return read;
    return isEmpty(read) && !(field.type === 'message' && field.container === '') ? undefined : read;
  }

  #contained(container: string, value: JsonValue, at: Site): JsonValue {
    if (container === '') return this.#single(value, at);
    const inner = container.slice(1);
    if (container.startsWith('l')) {
      if (!Array.isArray(value)) throw mismatch(value, at, `[]${goTypeOf(inner, at.field)}`);
      return value.map((item, index) => this.#element(inner, item, { ...at, path: `${at.path}[${index}]` }));
    }
    if (!isJsonObject(value)) throw mismatch(value, at, `map[string]${goTypeOf(inner, at.field)}`);
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, this.#element(inner, item, { ...at, path: `${at.path}.${key}` })]),
    );
  }

  /** Decodes an element of a list or map. A null element becomes the zero value of its type. */
  #element(container: string, value: JsonValue, at: Site): JsonValue {
    if (value !== null) return this.#contained(container, value, at);
    return container === '' ? this.#zeroElement(at.field) : null;
  }

  #single(value: JsonValue, at: Site): JsonValue {
    const { field } = at;
    if (SCHEMAS.has(field.type)) return this.#schemaOr(value, at);
    if (field.message === undefined) {
      const literal = this.#literals?.get(at.path);
      if (literal !== undefined && INTEGERS.has(field.type)) throw mismatch(value, at, field.goType, literal);
      return decodeScalar(field, value, (type) => mismatch(value, at, type));
    }
    if (!isJsonObject(value)) throw mismatch(value, at, field.goType);
    return this.message(field.message, value, at);
  }

  /**
   * Decodes a schema field that may hold an alternative. Go uses a separate decoder there, which drops unknown fields
   * without reporting them.
   */
  #schemaOr(value: JsonValue, at: Site): JsonValue {
    const { field, owner, path, goPath } = at;
    const decoder = new Decoder([], { complete: this.#complete });
    // A null in a list of schemas is an empty schema.
    const schema = (own: JsonValue) => {
      if (own !== null && !isJsonObject(own)) throw mismatch(own, at, 'v1.JSONSchemaProps');
      return decoder.message(owner, own ?? {}, { path, goPath });
    };
    if (isJsonObject(value)) return schema(value);
    if (field.type === 'SchemaOrStrings') {
      return Array.isArray(value) && value.length > 0 ? value : null;
    }
    if (field.type !== 'SchemaOrBool') {
      return Array.isArray(value) && value.length > 0 ? value.map(schema) : null;
    }
    if (typeof value !== 'boolean') throw new UnmarshalError('boolean or JSON schema expected');
    return value;
  }

  /** Returns what Go writes for an absent field: nothing, null, or the zero value. */
  #zeroOf(field: Field): JsonValue | undefined {
    if (field.pointer || field.container !== '') return field.omitEmpty ? undefined : null;
    if (field.message !== undefined || STRUCTS.has(field.type)) return this.#zeroElement(field);
    return field.omitEmpty ? undefined : this.#zeroElement(field);
  }

  #zeroElement({ type, message }: Field): JsonValue {
    return message === undefined ? zeroScalar(type) : this.message(message, {}, { path: '', goPath: '' });
  }
}

interface Site extends Place {
  readonly field: Field;
  readonly owner: Message;
}

const ENVELOPE: ReadonlySet<string> = new Set(['apiVersion', 'kind']);
const SCHEMAS: ReadonlySet<string> = new Set(['SchemaOrBool', 'SchemaOrArray', 'SchemaOrStrings']);
const INTEGERS: ReadonlySet<string> = new Set(['int32', 'int64', 'uint64', 'IntOrString']);

/** Types that are structs in Go, which `omitempty` does not omit. */
const STRUCTS: ReadonlySet<string> = new Set([
  'Time',
  'MicroTime',
  'Quantity',
  'IntOrString',
  'Raw',
  'JSON',
  'Duration',
]);

function zeroScalar(type: FieldType): JsonValue {
  switch (type) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'Quantity':
      return '0';
    case 'Duration':
      return '0s';
    case 'int32':
    case 'int64':
    case 'uint64':
    case 'double':
    case 'IntOrString':
      return 0;
    default:
      return null;
  }
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function mismatch(value: JsonValue, at: Site, type: string, literal = String(value)): UnmarshalError {
  const struct = at.owner.name.split('.').at(-1);
  return new UnmarshalError(
    `json: cannot unmarshal ${goKind(value, type, literal)} into Go struct field ${struct}.${at.goPath} of type ${type}`,
    conversion(value, type),
  );
}

/** Returns the message of Go's converter of unstructured values. */
function conversion(value: JsonValue, type: string): string {
  const kind = Array.isArray(value)
    ? 'slice'
    : typeof value === 'number'
      ? Number.isInteger(value)
        ? 'int64'
        : 'float64'
      : { object: 'map', string: 'string', boolean: 'bool' }[typeof value as 'object' | 'string' | 'boolean'];
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`;
  return /^[a-z0-9]+$/.test(type)
    ? `cannot convert ${kind} to ${type}`
    : `cannot restore struct from: ${kind}`;
}

/**
 * Returns Go's name for the kind of a JSON value. A number is included if the field is numeric and it does not fit.
 */
function goKind(value: JsonValue, type: string, literal: string): string {
  if (typeof value === 'number') return /^(u?int|float)\d+$/.test(type) ? `number ${literal}` : 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}

function goTypeOf(container: string, field: Field): string {
  return `${container.replaceAll('l', '[]').replaceAll('m', 'map[string]')}${field.goType}`;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function divide(value: JsonObject, names: readonly string[]): { kept: JsonObject; rest: JsonObject } {
  const kept: JsonObject = {};
  const rest = { ...value };
  for (const name of names) {
    const own = rest[name];
    if (own !== undefined) kept[name] = own;
    delete rest[name];
  }
  return { kept, rest };
}
