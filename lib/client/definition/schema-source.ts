import type { StandardSchema } from '../objects/index.ts';
import { isRecord, type JsonSchema, refuse } from './json-schema.ts';
import { structuralSchema } from './structural-schema.ts';

/**
 * The part of Standard JSON Schema that definitions come from. Schemas of zod and ArkType have it; Valibot's
 * `toStandardJsonSchema` adds it.
 * https://standardschema.dev/json-schema
 */
interface JsonSchemaSource {
  readonly input: (options: { readonly target: 'draft-2020-12' }) => JsonSchema;
  readonly output?: (options: { readonly target: 'draft-2020-12' }) => JsonSchema;
}

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
  const input = structuralSchema(ask(jsonSchema, 'input', path), path);
  if (jsonSchema.output === undefined) return input;
  const output = structuralSchema(ask(jsonSchema, 'output', path), path);
  refuseDifference(input, output, path);
  return withDefaults(input, output, ownSchema(schema, path), path);
}

/** ArkType writes the defaults only with a method of its own, and not by Standard JSON Schema. */
function ownSchema(schema: object, path: string): JsonSchema {
  const { toJsonSchema } = schema as { readonly toJsonSchema?: () => JsonSchema };
  return typeof toJsonSchema === 'function' ? structuralSchema(toJsonSchema.call(schema), path) : {};
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

function ask(source: JsonSchemaSource, form: 'input' | 'output', path: string): JsonSchema {
  try {
    return source[form]?.({ target: 'draft-2020-12' }) ?? {};
  } catch (error) {
    const why = (error as Error).message;
    refuse(path, `the library cannot write the ${form} as JSON Schema: ${why}`);
  }
}

/** Winnow stores what a writer sends, so a schema must not change values. A default is no change: the server sets it. */
function refuseDifference(input: JsonSchema, output: JsonSchema, path: string): void {
  for (const keyword of new Set([...Object.keys(input), ...Object.keys(output)])) {
    const [before, after] = [input[keyword], output[keyword]];
    switch (keyword) {
      case 'required':
      case 'default':
        break;
      case 'properties':
        refuseDifferences((before ?? {}) as Schemas, (after ?? {}) as Schemas, path);
        break;
      case 'items':
        refuseDifference((before ?? {}) as JsonSchema, (after ?? {}) as JsonSchema, `${path}[]`);
        break;
      case 'additionalProperties':
        refuseDifference((before ?? {}) as JsonSchema, (after ?? {}) as JsonSchema, `${path}.*`);
        break;
      default:
        if (JSON.stringify(before) !== JSON.stringify(after)) {
          refuse(path, 'the schema changes values, but the server stores what a writer sends');
        }
    }
  }
}

type Schemas = Readonly<Record<string, JsonSchema>>;

function refuseDifferences(input: Schemas, output: Schemas, path: string): void {
  for (const name of new Set([...Object.keys(input), ...Object.keys(output)])) {
    refuseDifference(input[name] ?? {}, output[name] ?? {}, `${path}.${name}`);
  }
}
