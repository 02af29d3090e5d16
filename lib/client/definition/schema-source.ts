import type { StandardSchema } from '../objects/index.ts';
import { type JsonSchema, structuralSchema, UnsupportedSchemaError } from './structural-schema.ts';

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
    throw new UnsupportedSchemaError(
      path,
      'the schema has no JSON Schema; use fromJsonSchema, or a library with Standard JSON Schema',
    );
  }
  const input = structuralSchema(ask(jsonSchema, 'input', path), path);
  if (jsonSchema.output !== undefined) {
    const output = structuralSchema(ask(jsonSchema, 'output', path), path);
    refuseDifference(input, output, path);
  }
  return input;
}

function ask(source: JsonSchemaSource, form: 'input' | 'output', path: string): JsonSchema {
  try {
    return source[form]?.({ target: 'draft-2020-12' }) ?? {};
  } catch (error) {
    const why = (error as Error).message;
    throw new UnsupportedSchemaError(path, `the library cannot write the ${form} as JSON Schema: ${why}`);
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
          throw new UnsupportedSchemaError(
            path,
            'the schema changes values, but the server stores what a writer sends',
          );
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
