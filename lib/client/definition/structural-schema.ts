import { conjoin, type Resolve } from './conjunction.ts';
import { INT_OR_STRING, isRecord, type JsonSchema, refuse, refuseOthers } from './json-schema.ts';
import { convertUnion } from './union.ts';

/** Where a schema stands. */
interface Place {
  /** The path of the field. */
  readonly path: string;
  /** The whole schema, which has the targets of `$ref`. */
  readonly root: JsonSchema;
  /** The references that lead here. */
  readonly references: readonly string[];
}

const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };
/** Keywords that mean the same in a structural schema, by type. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum', 'allOf'],
  number: ['minimum', 'maximum', 'multipleOf', 'format', 'enum', 'allOf'],
  integer: ['minimum', 'maximum', 'multipleOf', 'format', 'enum', 'allOf'],
  boolean: ['enum'],
  array: ['minItems', 'maxItems', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'],
  object: ['minProperties', 'maxProperties', 'required', 'x-kubernetes-map-type'],
};
/** Keywords of Kubernetes that a field of each type can have. */
const RULES = 'x-kubernetes-validations';
/** Keywords that this module translates, by type. */
const TRANSLATED: Readonly<Record<string, readonly string[]>> = {
  number: ['exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['exclusiveMinimum', 'exclusiveMaximum'],
  array: ['items', 'uniqueItems'],
  object: ['properties', 'additionalProperties', 'propertyNames'],
};
/**
 * The formats that Kubernetes checks. Others say nothing, and the server would warn about them. The format `duration` is
 * not among them: JSON Schema's is ISO 8601, and Kubernetes' is that of Go.
 */
const FORMATS = new Set(
  (
    'int32 int64 float double bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 ' +
    'isbn13 creditcard ssn hexcolor rgbcolor byte password date date-time'
  ).split(' '),
);
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

function convert(given: unknown, at: Place): JsonSchema {
  const { path } = at;
  if (given === true) return ANYTHING;
  if (!isRecord(given)) refuse(path, 'no value is valid; remove the field');
  const references = new Set(at.references);
  const whole = conjoin(given, resolver(at, references), path);
  const place = { ...at, references: [...references] };
  const { description, default: byDefault, ...rest } = whole;
  const { schema, allowsNull } = withoutNull(rest, path);
  const notes: Record<string, unknown> = {};
  if (description !== undefined) notes.description = description;
  if (byDefault !== undefined) notes.default = byDefault;
  const { nullable = allowsNull, ...converted } = convertValue(schema, place);
  if (nullable !== true || allowsNull === false) return { ...notes, ...converted };
  // Kubernetes accepts null only if the enum has it too.
  const values = Array.isArray(converted.enum) ? { enum: [...converted.enum, null] } : {};
  return { ...notes, nullable: true, ...converted, ...values };
}

/** Returns a function that finds targets of references in the whole schema, and collects the references. */
function resolver({ path, root, references: before }: Place, collected: Set<string>): Resolve {
  return (reference) => {
    if (before.includes(reference)) {
      refuse(path, 'the schema contains itself; a definition has no recursive types');
    }
    let target: unknown = root;
    for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    if (!reference.startsWith('#') || !isRecord(target)) {
      refuse(path, `the reference "${reference}" leads nowhere in this schema`);
    }
    collected.add(reference);
    const references = [...before, reference];
    return { target, resolve: resolver({ path, root, references }, collected) };
  };
}

function convertValue(schema: JsonSchema, place: Place): JsonSchema {
  const { path } = place;
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    return convertUnion(schema, branches, path, (branch) => convert(branch, place));
  }
  const rules = schema[RULES] === undefined ? {} : { [RULES]: schema[RULES] };
  const type = typeOf(schema, path);
  if (type === undefined || type === INT_OR_STRING) {
    const form = type ?? ANYTHING;
    refuseOthers(schema, ['type', RULES, ...Object.keys(form)], path);
    return { ...form, ...rules };
  }
  const kept = KEPT[String(type)];
  if (kept === undefined) {
    refuse(path, `a field of the type "${type}" is not possible`);
  }
  const embedded = type === 'object' ? ['x-kubernetes-embedded-resource', ...Object.keys(ANYTHING)] : [];
  const known = ['type', RULES, ...kept, ...embedded, ...(TRANSLATED[String(type)] ?? [])];
  refuseOthers(schema, known, path);
  const converted: Record<string, unknown> = { type };
  for (const keyword of [...kept, ...embedded]) {
    if (schema[keyword] !== undefined && !isSafeLimit(keyword, schema)) converted[keyword] = schema[keyword];
  }
  if (converted.format !== undefined && !FORMATS.has(String(converted.format))) delete converted.format;
  refusePatterns(schema, path);
  if (type === 'array') return { ...converted, ...convertItems(schema, place), ...rules };
  if (Array.isArray(converted.required)) converted.required = [...converted.required].sort();
  if (type === 'object') return { ...converted, ...convertProperties(schema, place), ...rules };
  return { ...converted, ...exclusive(schema, 'minimum'), ...exclusive(schema, 'maximum'), ...rules };
}

/** Whether a limit only says that an integer is one of JavaScript's, as zod does. */
function isSafeLimit(keyword: string, schema: JsonSchema): boolean {
  return /^(min|max)imum$/.test(keyword) && Math.abs(Number(schema[keyword])) === Number.MAX_SAFE_INTEGER;
}

function refusePatterns({ pattern, allOf = [] }: JsonSchema, path: string): void {
  for (const each of [pattern, ...(allOf as JsonSchema[]).map((one) => one.pattern)]) {
    if (typeof each === 'string' && NOT_RE2.test(each)) {
      const why = `the pattern ${each} has look-around or back-references; RE2 has neither`;
      refuse(path, why);
    }
  }
}

function convertItems({ items = true, uniqueItems }: JsonSchema, place: Place): JsonSchema {
  if (uniqueItems === true) {
    const why = 'uniqueItems is not possible; use a rule, or list the path in "sets"';
    refuse(place.path, why);
  }
  return { items: convert(items, { ...place, path: `${place.path}[]` }) };
}

function convertProperties(schema: JsonSchema, place: Place): JsonSchema {
  const { properties = {}, additionalProperties: others, propertyNames } = schema;
  const { path } = place;
  if (propertyNames !== undefined && JSON.stringify(propertyNames) !== '{"type":"string"}') {
    refuse(path, 'conditions on the names of fields are not possible; use a rule');
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
    refuse(path, 'an object has either named fields or fields of any name');
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

/**
 * Takes null out of the types, the values and the branches of a union. `allowsNull` is undefined if no condition is about
 * null; a branch may still allow it.
 */
function withoutNull(
  schema: JsonSchema,
  path: string,
): { schema: JsonSchema; allowsNull: boolean | undefined } {
  const rest: Record<string, unknown> = { ...schema };
  const isNull = (one: unknown) =>
    one === null || one === 'null' || (isRecord(one) && (one.type === 'null' || one.const === null));
  const found: boolean[] = [];
  for (const keyword of ['anyOf', 'oneOf', 'enum', 'type']) {
    const given = rest[keyword];
    if (given === undefined) continue;
    const all: readonly unknown[] = Array.isArray(given) ? given : [given];
    const others = all.filter((one) => !isNull(one) || (keyword === 'enum' && one !== null));
    const isUnion = keyword === 'anyOf' || keyword === 'oneOf';
    if (!isUnion || others.length < all.length) found.push(others.length < all.length);
    if (others.length === 0) {
      refuse(path, 'a field that is always null is not possible');
    }
    rest[keyword] = keyword === 'type' && others.length === 1 ? others[0] : others;
  }
  return { schema: rest, allowsNull: found.length === 0 ? undefined : found.every(Boolean) };
}

/** The type that a schema names, or that its keywords mean. */
function typeOf({ type, enum: values, properties, items }: JsonSchema, path: string): unknown {
  if (Array.isArray(type)) {
    if ([...type].sort().join() === 'integer,string') return INT_OR_STRING;
    refuse(path, `a field of several types (${type.join(', ')}) is not possible`);
  }
  if (type !== undefined) return type;
  if (Array.isArray(values)) {
    const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
    if (types.size > 1) {
      refuse(path, 'an enum with values of several types is not possible');
    }
    return [...types][0];
  }
  if (properties !== undefined) return 'object';
  return items === undefined ? undefined : 'array';
}
