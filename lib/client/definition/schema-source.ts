import type { StandardSchema } from '../objects/index.ts';
import { isRecord, isSame, type JsonSchema, refuse } from './json-schema.ts';
import { structuralSchema } from './structural-schema.ts';

/**
 * The part of Standard JSON Schema that definitions come from. Schemas of zod and ArkType have it; Valibot's
 * `toStandardJsonSchema` adds it.
 * https://standardschema.dev/json-schema
 */
interface JsonSchemaSource {
  readonly input: (options: typeof DRAFT) => JsonSchema;
  readonly output?: (options: typeof DRAFT) => JsonSchema;
}

const DRAFT = { target: 'draft-2020-12' } as const;

/**
 * Returns a schema for `defineKind` from a JSON Schema (draft 2020-12), for libraries without Standard JSON Schema. The
 * types come from the type parameters: `fromJsonSchema<Input, Output>(z.toJSONSchema(schema, { io: 'input' }))`.
 */
export function fromJsonSchema<Input, Output = Input>(schema: object): StandardSchema<Input, Output> {
  const jsonSchema: JsonSchemaSource = { input: () => schema as JsonSchema };
  const standard: StandardSchema<Input, Output>['~standard'] & { jsonSchema: JsonSchemaSource } = {
    jsonSchema,
  };
  return { '~standard': standard };
}

/**
 * Returns the structural schema of the values that a schema accepts.
 *
 * @throws {UnsupportedSchemaError} a definition cannot express the schema, or the schema changes values
 */
export function readSchema(schema: StandardSchema, path: string): JsonSchema {
  const { jsonSchema } = schema['~standard'] as { readonly jsonSchema?: JsonSchemaSource };
  if (jsonSchema === undefined) {
    refuse(path, 'the schema has no JSON Schema; use fromJsonSchema, or a library with Standard JSON Schema');
  }
  const { input: readInput, output: readOutput } = jsonSchema;
  const input = readConstant(() => readInput.call(jsonSchema, DRAFT), 'input', path);
  if (readOutput === undefined) return input;
  const output = readOnce(() => readOutput.call(jsonSchema, DRAFT), 'output', path);
  refuseDifference(input, output, path, BETWEEN_FORMS);
  return withDefaults(input, output, ownSchema(schema, path), path);
}

/** ArkType's own way to JSON Schema. */
interface OwnSource {
  readonly toJsonSchema?: (options: {
    readonly fallback: { readonly predicate: (context: { readonly base: JsonSchema }) => JsonSchema };
  }) => JsonSchema;
}

/**
 * Returns the schema that ArkType writes with a method of its own. Standard JSON Schema has neither ArkType's defaults nor
 * its errors: a Date is `{}` there. As there, a condition that is a function is left out.
 *
 * @throws {UnsupportedSchemaError} JSON Schema cannot express another part
 */
function ownSchema(schema: object, path: string): JsonSchema {
  const { toJsonSchema } = schema as OwnSource;
  if (typeof toJsonSchema !== 'function') return {};
  const fallback = { predicate: ({ base }: { readonly base: JsonSchema }) => base };
  return readConstant(() => toJsonSchema.call(schema, { fallback }), 'schema', path);
}

/**
 * Reads a schema that may have defaults. The server sets the same default in each object, so a library must not compute
 * it anew on each use. A default of the time is found if it changes from one millisecond to the next.
 *
 * @throws {UnsupportedSchemaError} a second reading gives another schema
 */
function readConstant(read: () => JsonSchema, form: Form, path: string): JsonSchema {
  const first = readOnce(read, form, path);
  if (!JSON.stringify(first).includes('"default":')) return first;
  const start = Date.now();
  // The limit is for a clock that stands still, as in tests.
  for (let attempt = 0; Date.now() === start && attempt < 1_000_000; attempt += 1);
  refuseDifference(first, readOnce(read, form, path), path, BETWEEN_READINGS);
  return first;
}

/** What a library writes as JSON Schema: the input, the output, or a schema of its own way. */
type Form = 'input' | 'output' | 'schema';

/** @throws {UnsupportedSchemaError} the library throws, or a definition cannot express the schema */
function readOnce(read: () => JsonSchema, form: Form, path: string): JsonSchema {
  let schema: JsonSchema;
  try {
    schema = read();
  } catch (error) {
    const why = (error as Error).message.replaceAll(/\s+/g, ' ');
    refuse(path, `the library cannot write the ${form} as JSON Schema: ${why}`);
  }
  return structuralSchema(schema, path);
}

/**
 * Adds the defaults that only `own` has. The server has to set each field that the schema always returns.
 *
 * @throws {UnsupportedSchemaError} such a field has no default
 */
function withDefaults(input: JsonSchema, output: JsonSchema, own: JsonSchema, path: string): JsonSchema {
  const filled: Record<string, unknown> = { ...input };
  const below = (keyword: string, name: string, at: string) => {
    const [one, other, third] = [input, output, own].map((schema) => schemaIn(schema[keyword], name));
    return one === undefined ? undefined : withDefaults(one, other ?? {}, third ?? {}, at);
  };
  for (const [keyword, at] of [
    ['items', '[]'],
    ['additionalProperties', '.*'],
  ] as const) {
    const one = below(keyword, '', `${path}${at}`);
    if (one !== undefined) filled[keyword] = one;
  }
  if (input.properties === undefined) return filled;
  const [given, returned] = [input, output].map(({ required = [] }) => required as readonly string[]);
  const properties = Object.keys(input.properties as object).map((name) => {
    const field = below('properties', name, `${path}.${name}`) ?? {};
    const isSet = returned?.includes(name) === true && !given?.includes(name);
    if (field.default !== undefined || !isSet) return [name, field];
    const { default: missing } = schemaIn(own.properties, name) ?? {};
    if (missing === undefined) {
      refuse(
        `${path}.${name}`,
        'the schema sets this field, but its JSON Schema has no default for the server',
      );
    }
    return [name, { ...field, default: missing }];
  });
  return { ...filled, properties: Object.fromEntries(properties) };
}

/** The schema below a keyword: the one of a name, or the only one. */
function schemaIn(value: unknown, name: string): JsonSchema | undefined {
  const found =
    name === '' || !isRecord(value) ? value : Object.hasOwn(value, name) ? value[name] : undefined;
  return isRecord(found) ? found : undefined;
}

/** How two schemas may differ, and why not further. */
interface Comparison {
  readonly ignored: readonly string[];
  readonly why: string;
}

/** Winnow stores what a writer sends, so a schema must not change values. A default is no change: the server sets it. */
const BETWEEN_FORMS: Comparison = {
  ignored: ['required', 'default'],
  why: 'the schema changes values, but the server stores what a writer sends',
};

const BETWEEN_READINGS: Comparison = {
  ignored: [],
  why: 'the schema differs each time that it is read; use a constant default, or set the field when you write',
};

function refuseDifference(one: JsonSchema, other: JsonSchema, path: string, comparison: Comparison): void {
  const below = (before: unknown, after: unknown, at: string) =>
    refuseDifference((before ?? {}) as JsonSchema, (after ?? {}) as JsonSchema, at, comparison);
  for (const keyword of namesOf(one, other)) {
    const [before, after] = [one[keyword], other[keyword]];
    if (comparison.ignored.includes(keyword)) continue;
    if (keyword === 'properties') {
      const [given, returned] = [(before ?? {}) as JsonSchema, (after ?? {}) as JsonSchema];
      for (const name of namesOf(given, returned)) below(given[name], returned[name], `${path}.${name}`);
    } else if (keyword === 'items') {
      below(before, after, `${path}[]`);
    } else if (keyword === 'additionalProperties') {
      below(before, after, `${path}.*`);
    } else if (!isSame(before, after)) {
      refuse(path, comparison.why);
    }
  }
}

function namesOf(one: JsonSchema, other: JsonSchema): ReadonlySet<string> {
  return new Set([...Object.keys(one), ...Object.keys(other)]);
}
