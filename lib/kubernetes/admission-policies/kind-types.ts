import type { Shape, ShapeField, Type } from '../../cel/index.ts';
import * as cel from '../../cel/index.ts';
import type { Field, FieldType, Message } from '../fields/index.ts';
import { Shapes } from '../schemas/cel/shapes.ts';
import type { Schema } from '../schemas/index.ts';
import { fieldOf, structOf } from './declared-types.ts';

const { BOOL, BYTES, DOUBLE, DYN, INT, listOf, mapOf, STRING, struct, TIMESTAMP } = cel.types;

/**
 * The types of fields that are no messages. kube-apiserver does not know the fields of quantities, and sees objects
 * without fields in raw ones, so that it warns of expressions that work. Here quantities are the texts that each stored
 * object has, and raw values are dynamic.
 */
const SCALARS: Readonly<Record<Exclude<FieldType, 'message'>, Type>> = {
  string: STRING,
  bool: BOOL,
  int32: INT,
  int64: INT,
  uint64: INT,
  double: DOUBLE,
  bytes: BYTES,
  Time: TIMESTAMP,
  MicroTime: TIMESTAMP,
  Duration: STRING,
  Quantity: STRING,
  IntOrString: DYN,
  Raw: DYN,
  JSON: DYN,
  Fields: DYN,
  SchemaOrBool: DYN,
  SchemaOrArray: DYN,
  SchemaOrStrings: DYN,
};

/** The name of the field that CEL reserves. Expressions may also write it with underscores. */
const RESERVED = 'namespace';

/** The type of a kind's objects, and the struct types of their parts by name: `Deployment.spec.template`. */
export interface KindTypes {
  readonly type: Type;
  readonly structs: ReadonlyMap<string, Shape>;
}

/** The fields of a custom kind: its structural schema, and those of its metadata (`meta.v1.ObjectMeta`). */
export interface CustomFields {
  readonly schema: Schema;
  readonly metadata: Message;
}

/** Returns the types of a kind, as its published schema has them. */
export function kindTypes(fields: Message | CustomFields, kind: string): KindTypes {
  return {
    type: struct(kind),
    structs: 'schema' in fields ? customStructs(fields, kind) : structsOf(fields, kind),
  };
}

function structsOf(message: Message, name: string, isObject = true): Map<string, Shape> {
  const structs = new Map<string, Shape>();
  declare(structs, { message, name, around: [], isObject });
  return structs;
}

function customStructs({ schema, metadata }: CustomFields, kind: string): ReadonlyMap<string, Shape> {
  const inner = `${kind}.metadata`;
  const structs = structsOf(metadata, inner, false);
  for (const [name, shape] of new Shapes(schema, cel, kind).structs) {
    if (name === inner || name.startsWith(`${inner}.`)) continue;
    const fields = new Map(shape.fields);
    if (name === kind) fields.set('metadata', fieldOf('metadata', struct(inner)));
    // Expressions may write reserved names as they are.
    for (const [field, { escaped, shape: own }] of fields) {
      if (escaped === `__${field}__`) fields.set(escaped, { escaped: field, shape: own });
    }
    structs.set(name, { ...shape, fields });
  }
  return structs;
}

interface Part {
  readonly message: Message;
  /** The name of the struct type. */
  readonly name: string;
  /** The messages that contain this one. */
  readonly around: readonly Message[];
  /** Whether it has `apiVersion` and `kind`. */
  readonly isObject: boolean;
}

function declare(structs: Map<string, Shape>, { message, name, around, isObject }: Part): void {
  const fields = new Map<string, ShapeField>();
  structs.set(name, structOf(fields, name));
  // A message within itself is an object without fields.
  if (around.includes(message)) return;
  const inner = [...around, message];
  const add = (each: string, type: Type) => fields.set(each, fieldOf(each, type));
  for (const each of isObject ? ['apiVersion', 'kind'] : []) add(each, STRING);
  for (const field of message.fields.values()) {
    const type = typeOf(field, `${name}.${field.name}`, (part) =>
      declare(structs, { ...part, around: inner }),
    );
    add(field.name, type);
    if (field.name === RESERVED) add(`__${RESERVED}__`, type);
  }
}

/** Returns the type of a field, after the structs in it are declared. */
function typeOf(field: Field, name: string, declarePart: (part: Omit<Part, 'around'>) => void): Type {
  const { container, message } = field;
  const own = { '': name, l: `${name}.@idx`, m: `${name}.@elem`, ml: `${name}.@elem.@idx` }[container];
  if (message !== undefined) declarePart({ message, name: own, isObject: message.envelope === true });
  const element = message === undefined ? SCALARS[field.type as Exclude<FieldType, 'message'>] : struct(own);
  if (container === 'l') return listOf(element);
  if (container === '') return element;
  return mapOf(STRING, container === 'm' ? element : listOf(element));
}
