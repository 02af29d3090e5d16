import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MOST_VALUES,
  TooLargeError,
} from '../../json/index.ts';
import type { Field, FieldType, Message } from '../fields/index.ts';
import { EncodingError } from './encoding-error.ts';
import { readSchemaOr, type SchemaOr } from './read-schema-or.ts';
import { readSpecial } from './read-special.ts';
import { type Placed, type WirePlan, wirePlanOf } from './wire-plan.ts';
import { WIRE, WireReader } from './wire-reader.ts';

/** The limit of nested messages. Deeper JSON is refused too. */
const DEEPEST = 500;

/** The types whose lists may be packed into one run of bytes. */
const NUMBERS: ReadonlySet<string> = new Set(['bool', 'int32', 'int64', 'uint64', 'double']);

/**
 * Decodes a message in protobuf's wire format to the object that a Go client would write as JSON. Unknown fields are
 * skipped, as in Kubernetes.
 *
 * @throws {EncodingError} the bytes are not such a message
 * @throws {TooLargeError} it has more values than an object may have
 */
export function readMessage(message: Message, bytes: Uint8Array): JsonObject {
  return new MessageReader().message(message, bytes);
}

/** The position of a value. */
interface Site {
  readonly wire: WireReader;
  readonly wireType: number;
}

class MessageReader {
  #depth = 0;
  #values = 0;

  /** @param into the value of an earlier occurrence of the same field, into which this one is merged */
  message(message: Message, bytes: Uint8Array, into: JsonObject = {}): JsonObject {
    this.#fields(wirePlanOf(message), bytes, into);
    return into;
  }

  #fields(plan: WirePlan, bytes: Uint8Array, into: JsonObject): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new EncodingError(`exceeded max depth: ${DEEPEST}`);
    const wire = new WireReader(bytes);
    while (!wire.done) {
      const { number, wireType } = wire.tag();
      const found = plan.get(number);
      if (found === undefined) {
        wire.skip(wireType);
      } else if (found instanceof Map) {
        this.#fields(found, messageAt({ wire, wireType }, String(number)), into);
      } else {
        this.#field(found, { wire, wireType }, into);
      }
    }
    this.#depth -= 1;
  }

  #field(placed: Placed, site: Site, into: JsonObject): void {
    const { name, container } = placed.field;
    const known = into[name];
    if (container === 'l') {
      const list = Array.isArray(known) ? known : [];
      this.#elements(placed, site, list);
      into[name] = list;
      return;
    }
    if (container !== '') {
      const map = isJsonObject(known) ? known : {};
      this.#entry(placed, messageAt(site, name), map);
      into[name] = map;
      return;
    }
    const value = this.#single(placed, site, known);
    if (isOmitted(placed.field, value)) {
      delete into[name];
    } else {
      into[name] = value;
    }
  }

  #elements(placed: Placed, { wire, wireType }: Site, list: JsonValue[]): void {
    const { type } = placed.field;
    if (!NUMBERS.has(type) || wireType !== WIRE.bytes) {
      list.push(this.#single(placed, { wire, wireType }));
      return;
    }
    const packed = new WireReader(wire.bytes());
    while (!packed.done) list.push(this.#single(placed, { wire: packed, wireType: wireTypeOf(type) }));
  }

  #entry(placed: Placed, bytes: Uint8Array, map: JsonObject): void {
    const wire = new WireReader(bytes);
    let key = '';
    let value: JsonValue | undefined;
    while (!wire.done) {
      const { number, wireType } = wire.tag();
      if (number === 1) {
        key = keyAt({ wire, wireType }, placed.field.name);
      } else if (number === 2) {
        value = this.#mapped(placed, { wire, wireType });
      } else {
        wire.skip(wireType);
      }
    }
    // Defined, not assigned, because a key may be __proto__.
    const one = {
      value: value ?? zeroOf(placed.field),
      enumerable: true,
      writable: true,
      configurable: true,
    };
    Object.defineProperty(map, key, one);
  }

  /** Reads the value of a map entry. A list in it is a separate message with the elements as field 1. */
  #mapped(placed: Placed, site: Site): JsonValue {
    if (placed.field.container !== 'ml') return this.#single(placed, site);
    const wire = new WireReader(messageAt(site, placed.field.name));
    const list: JsonValue[] = [];
    while (!wire.done) {
      const { number, wireType } = wire.tag();
      if (number === 1) {
        this.#elements(placed, { wire, wireType }, list);
      } else {
        wire.skip(wireType);
      }
    }
    return list.length === 0 ? null : list;
  }

  #single({ field, owner }: Placed, site: Site, known?: JsonValue): JsonValue {
    const { type, name, message } = field;
    this.#values += 1;
    if (this.#values > MOST_VALUES) {
      const limit = { limit: MOST_VALUES, unit: 'JSON values' };
      throw new TooLargeError('the body of the request', this.#values, limit);
    }
    refuseWireType(site, wireTypeOf(type), name);
    if (message !== undefined) {
      return this.message(message, site.wire.bytes(), isJsonObject(known) ? known : {});
    }
    if (isSchemaOr(type)) {
      return readSchemaOr(type, site.wire.bytes(), (schema) => this.message(owner, schema));
    }
    return readScalar(type, site.wire);
  }
}

function readScalar(type: FieldType, wire: WireReader): JsonValue {
  switch (type) {
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'uint64':
    case 'double':
      return wire[type]();
    case 'bytes':
      return Buffer.from(wire.bytes()).toString('base64');
    default:
      return readSpecial(type, wire.bytes());
  }
}

function isSchemaOr(type: FieldType): type is SchemaOr {
  return type.startsWith('SchemaOr');
}

/** Whether Go omits the value from JSON: a zero scalar with omitempty that is not a pointer. */
function isOmitted({ omitEmpty, pointer, type }: Field, value: JsonValue): boolean {
  // A struct in Go, which is never omitted.
  if (!omitEmpty || pointer || type === 'IntOrString') return false;
  return value === '' || value === 0 || value === false;
}

/** Returns Go's value for a map entry without a value. */
function zeroOf({ type, container, message }: Field): JsonValue {
  if (container === 'ml') return null;
  if (message !== undefined) return {};
  if (type === 'string' || type === 'bytes') return '';
  return type === 'Quantity' ? '0' : null;
}

function wireTypeOf(type: FieldType): number {
  if (type === 'double') return WIRE.eight;
  return NUMBERS.has(type) ? WIRE.varint : WIRE.bytes;
}

/** Returns the bytes of a nested message. */
function messageAt(site: Site, name: string): Uint8Array {
  refuseWireType(site, WIRE.bytes, name);
  return site.wire.bytes();
}

function refuseWireType({ wireType }: Site, expected: number, name: string): void {
  if (wireType !== expected) throw new EncodingError(`proto: wrong wireType = ${wireType} for field ${name}`);
}

function keyAt(site: Site, name: string): string {
  refuseWireType(site, WIRE.bytes, name);
  return site.wire.string();
}
