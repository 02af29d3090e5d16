/** A JSON Schema (draft 2020-12), or a structural schema of Kubernetes. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A part of a schema that a CustomResourceDefinition cannot express. */
export class UnsupportedSchemaError extends Error {
  /** The path of the field: `spec.radio.bands[]`. */
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.name = 'UnsupportedSchemaError';
    this.path = path;
  }
}

interface Place {
  /** The path of the field. */
  readonly path: string;
  /** The whole schema, which has the targets of `$ref`. */
  readonly root: JsonSchema;
  /** The references that lead here. */
  readonly references: readonly string[];
}

const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };
const INT_OR_STRING = { 'x-kubernetes-int-or-string': true };
/** Keywords that say nothing about values. */
const NOTES = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
/** Keywords that mean the same in a structural schema, by type. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum'],
  number: ['minimum', 'maximum', 'multipleOf', 'format', 'enum'],
  integer: ['minimum', 'maximum', 'multipleOf', 'format', 'enum'],
  boolean: ['enum'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties', 'required'],
};
/** Keywords that this module translates, by type. */
const TRANSLATED: Readonly<Record<string, readonly string[]>> = {
  number: ['exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['exclusiveMinimum', 'exclusiveMaximum'],
  array: ['items', 'uniqueItems'],
  object: ['properties', 'additionalProperties', 'propertyNames'],
};
/** Look-around and back-references, which RE2 does not have. */
const NOT_RE2 = /\(\?<?[=!]|\\[1-9]|\\k</;

/**
 * Returns the structural schema of a JSON Schema.
 *
 * @throws {UnsupportedSchemaError} a structural schema cannot express a part of it
 */
export function structuralSchema(schema: JsonSchema, path: string): JsonSchema {
  return convert(schema, { path, root: schema, references: [] });
}

function convert(given: unknown, place: Place): JsonSchema {
  const { path } = place;
  if (given === true) return ANYTHING;
  if (!isRecord(given)) throw new UnsupportedSchemaError(path, 'no value is valid; remove the field');
  if (given.$ref !== undefined) return convertReference(given, place);
  const { description, default: byDefault, ...rest } = given;
  const { schema, isNullable } = withoutNull(withoutConst(rest), path);
  const notes: Record<string, unknown> = {};
  if (description !== undefined) notes.description = description;
  if (byDefault !== undefined) notes.default = byDefault;
  const converted = convertValue(schema, place);
  if (!isNullable) return { ...notes, ...converted };
  // Kubernetes accepts null only if the enum has it too.
  const values = Array.isArray(converted.enum) ? { enum: [...converted.enum, null] } : {};
  return { ...notes, nullable: true, ...converted, ...values };
}

/** A reference is replaced by its target. */
function convertReference({ $ref, ...beside }: JsonSchema, place: Place): JsonSchema {
  const { path, root, references } = place;
  const reference = String($ref);
  if (references.includes(reference)) {
    throw new UnsupportedSchemaError(path, 'the schema contains itself; a definition has no recursive types');
  }
  let target: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  if (!reference.startsWith('#') || !isRecord(target)) {
    throw new UnsupportedSchemaError(path, `the reference "${reference}" leads nowhere in this schema`);
  }
  return convert({ ...target, ...beside }, { ...place, references: [...references, reference] });
}

function convertValue(schema: JsonSchema, place: Place): JsonSchema {
  const { path } = place;
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return convertUnion(schema, branches, place);
  if (Array.isArray(schema.allOf) && schema.allOf.length === 1 && isRecord(schema.allOf[0])) {
    const { allOf: _allOf, ...rest } = schema;
    return convert({ ...rest, ...schema.allOf[0] }, place);
  }
  const type = typeOf(schema, path);
  if (type === undefined) {
    refuseOthers(schema, [], path);
    return ANYTHING;
  }
  if (type === INT_OR_STRING) {
    refuseOthers(schema, ['type'], path);
    return INT_OR_STRING;
  }
  const kept = KEPT[String(type)];
  if (kept === undefined) {
    throw new UnsupportedSchemaError(path, `a field of the type "${type}" is not possible`);
  }
  refuseOthers(schema, ['type', ...kept, ...(TRANSLATED[String(type)] ?? [])], path);
  const converted: Record<string, unknown> = { type };
  for (const keyword of kept) if (schema[keyword] !== undefined) converted[keyword] = schema[keyword];
  if (typeof schema.pattern === 'string' && NOT_RE2.test(schema.pattern)) {
    throw new UnsupportedSchemaError(
      path,
      `the pattern ${schema.pattern} has look-around or back-references; RE2 has neither`,
    );
  }
  if (type === 'array') return { ...converted, ...convertItems(schema, place) };
  if (type === 'object') return { ...converted, ...convertProperties(schema, place) };
  return { ...converted, ...exclusive(schema, 'minimum'), ...exclusive(schema, 'maximum') };
}

/** A union of constants is an enum, one of an integer and a string has a form of its own, and others are refused. */
function convertUnion(schema: JsonSchema, branches: readonly unknown[], place: Place): JsonSchema {
  const { anyOf: _anyOf, oneOf: _oneOf, ...beside } = schema;
  if (branches.length === 1) return convert({ ...beside, ...(branches[0] as JsonSchema) }, place);
  refuseOthers(beside, ['type'], place.path);
  const converted = branches.map((branch) => convert(branch, place));
  const types = new Set(converted.map(({ type }) => type));
  const values = converted.map((one) => one.enum);
  if (types.size === 1 && values.every(Array.isArray)) {
    return { type: converted[0]?.type, enum: [...new Set(values.flat())] };
  }
  if (types.size === 2 && types.has('integer') && types.has('string')) {
    if (converted.every((one) => Object.keys(one).every((key) => key === 'type' || isSafeRange(one, key)))) {
      return INT_OR_STRING;
    }
  }
  throw new UnsupportedSchemaError(
    place.path,
    'a union of different types is not possible; use one object with optional fields',
  );
}

/** Whether a keyword only says that an integer is one of JavaScript's, as zod does. */
function isSafeRange(schema: JsonSchema, keyword: string): boolean {
  return /^(minimum|maximum)$/.test(keyword) && Math.abs(Number(schema[keyword])) === Number.MAX_SAFE_INTEGER;
}

function convertItems({ items = true, uniqueItems }: JsonSchema, place: Place): JsonSchema {
  if (uniqueItems === true) {
    throw new UnsupportedSchemaError(place.path, 'uniqueItems is not possible; use a rule');
  }
  return { items: convert(items, { ...place, path: `${place.path}[]` }) };
}

function convertProperties(schema: JsonSchema, place: Place): JsonSchema {
  const { properties = {}, additionalProperties: others, propertyNames } = schema;
  const { path } = place;
  if (propertyNames !== undefined && JSON.stringify(propertyNames) !== '{"type":"string"}') {
    throw new UnsupportedSchemaError(path, 'conditions on the names of fields are not possible; use a rule');
  }
  const converted: [string, JsonSchema][] = Object.entries(properties as JsonSchema).map(([name, one]) => [
    name,
    convert(one, { ...place, path: `${path}.${name}` }),
  ]);
  const named = converted.length > 0 ? { properties: Object.fromEntries(converted) } : {};
  // Winnow drops fields that the schema does not name.
  if (others === undefined || others === false) return named;
  const values = convert(others, { ...place, path: `${path}.*` });
  const { description: _description, nullable: _nullable, ...conditions } = values;
  if (JSON.stringify(conditions) === JSON.stringify(ANYTHING)) return { ...named, ...ANYTHING };
  if (converted.length > 0) {
    throw new UnsupportedSchemaError(path, 'an object has either named fields or fields of any name');
  }
  return { additionalProperties: values };
}

/**
 * The exclusive limit of a JSON Schema is a number. Kubernetes has a flag beside the inclusive limit instead. If a schema
 * has both limits, the stricter one counts.
 */
function exclusive(schema: JsonSchema, limit: 'minimum' | 'maximum'): JsonSchema {
  const keyword = limit === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const [given, inclusive] = [schema[keyword], schema[limit]];
  if (typeof given !== 'number') return {};
  const isStricter =
    typeof inclusive !== 'number' || (limit === 'minimum' ? given >= inclusive : given <= inclusive);
  return isStricter ? { [limit]: given, [keyword]: true } : {};
}

function withoutConst({ const: value, ...rest }: JsonSchema): JsonSchema {
  return value === undefined ? rest : { ...rest, enum: [value] };
}

/** Takes null out of the types, the values and the branches of a union. */
function withoutNull(schema: JsonSchema, path: string): { schema: JsonSchema; isNullable: boolean } {
  const rest: Record<string, unknown> = { ...schema };
  let isNullable = false;
  const isNull = (one: unknown) => isRecord(one) && (one.type === 'null' || one.const === null);
  for (const keyword of ['anyOf', 'oneOf', 'enum', 'type']) {
    const all = rest[keyword];
    if (!Array.isArray(all)) continue;
    const others = all.filter(
      (one) => one !== null && !(keyword === 'type' && one === 'null') && !isNull(one),
    );
    if (others.length < all.length) isNullable = true;
    if (others.length === 0) {
      throw new UnsupportedSchemaError(path, 'a field that is always null is not possible');
    }
    rest[keyword] = keyword === 'type' && others.length === 1 ? others[0] : others;
  }
  return { schema: rest, isNullable };
}

/** The type that a schema names, or that its keywords mean. */
function typeOf({ type, enum: values, properties, items }: JsonSchema, path: string): unknown {
  if (Array.isArray(type)) {
    if ([...type].sort().join() === 'integer,string') return INT_OR_STRING;
    throw new UnsupportedSchemaError(path, `a field of several types (${type.join(', ')}) is not possible`);
  }
  if (type !== undefined) return type;
  if (Array.isArray(values)) {
    const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
    if (types.size > 1) {
      throw new UnsupportedSchemaError(path, 'an enum with values of several types is not possible');
    }
    return [...types][0];
  }
  if (properties !== undefined) return 'object';
  return items === undefined ? undefined : 'array';
}

/** @throws {UnsupportedSchemaError} the schema has a keyword that a definition cannot express */
function refuseOthers(schema: JsonSchema, known: readonly string[], path: string): void {
  for (const keyword of Object.keys(schema)) {
    if (known.includes(keyword) || NOTES.has(keyword)) continue;
    const why =
      keyword === 'prefixItems'
        ? 'a tuple is not possible; use an object'
        : `the keyword ${keyword} is not possible`;
    throw new UnsupportedSchemaError(path, why);
  }
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
