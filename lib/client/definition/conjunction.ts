import { isAnnotation, isRecord, isSame, type JsonSchema, refuse } from './json-schema.ts';

/** Finds the target of a reference, and how to find the references of that target. */
export type Resolve = (reference: string) => { readonly target: JsonSchema; readonly resolve: Resolve };

/** Keywords of which a schema can have several conditions, because Kubernetes allows them in `allOf`. */
const REPEATABLE = new Set(['pattern', 'format', 'multipleOf']);

/**
 * Merges a schema with the target of its `$ref` and with its `allOf`: a value must fulfil all of them. What remains in
 * `allOf` are conditions of which the merged schema has another one already, such as a second pattern.
 *
 * @throws {UnsupportedSchemaError} two schemas have conditions that one schema cannot express
 */
export function conjoin(given: JsonSchema, resolve: Resolve, path: string): JsonSchema {
  const { $ref, allOf = [], const: constant, ...own } = given;
  let merged: JsonSchema = own;
  const further: JsonSchema[] = [];
  const add = (part: JsonSchema) => {
    const { allOf: more = [], ...one } = part;
    const { schema, left } = intersect(merged, one, path);
    merged = schema;
    further.push(...left, ...(more as JsonSchema[]));
  };
  if (constant !== undefined) add({ enum: [constant] });
  if ($ref !== undefined) {
    const found = resolve(String($ref));
    add(conjoin(found.target, found.resolve, path));
  }
  for (const part of allOf as readonly unknown[]) {
    if (part === true) continue;
    if (!isRecord(part)) refuse(path, 'no value is valid; remove the field');
    add(conjoin(part, resolve, path));
  }
  return further.length > 0 ? { ...merged, allOf: further } : merged;
}

/** Returns a schema of the values that fulfil both, and the conditions that do not fit into it. */
function intersect(
  one: JsonSchema,
  other: JsonSchema,
  path: string,
): { schema: JsonSchema; left: JsonSchema[] } {
  const schema: Record<string, unknown> = { ...one };
  const left: JsonSchema[] = [];
  for (const [keyword, value] of Object.entries(other)) {
    const known = schema[keyword];
    if (known !== undefined && (isAnnotation(keyword) || isSame(known, value))) continue;
    if (known !== undefined && REPEATABLE.has(keyword)) {
      left.push({ [keyword]: value });
      continue;
    }
    schema[keyword] = known === undefined ? value : both(keyword, known, value, path);
  }
  return { schema, left };
}

/** Returns the value of a keyword that means the same as two values together. */
function both(keyword: string, one: unknown, other: unknown, path: string): unknown {
  if (/^(min|exclusiveMin)/.test(keyword)) return Math.max(Number(one), Number(other));
  if (/^(max|exclusiveMax)/.test(keyword)) return Math.min(Number(one), Number(other));
  if (keyword === 'required') return [...new Set([...(one as string[]), ...(other as string[])])];
  if (keyword === 'uniqueItems') return true;
  if (keyword === 'type' && [one, other].sort().join() === 'integer,number') return 'integer';
  if (keyword === 'enum' || keyword === 'type') {
    const allowed = new Set(listOf(other).map((value) => JSON.stringify(value)));
    const common = listOf(one).filter((value) => allowed.has(JSON.stringify(value)));
    if (common.length > 0) return keyword === 'type' && common.length === 1 ? common[0] : common;
  }
  if (keyword === 'properties') {
    const properties: Record<string, unknown> = { ...(one as JsonSchema) };
    for (const [name, schema] of Object.entries(other as JsonSchema)) {
      const known = properties[name];
      properties[name] = known === undefined ? schema : together(known, schema);
    }
    return properties;
  }
  if (keyword === 'items') return together(one, other);
  if (keyword === 'additionalProperties' && isRecord(one) && isRecord(other)) return together(one, other);
  refuse(path, `two different conditions "${keyword}" for one field are not possible`);
}

function together(one: unknown, other: unknown): JsonSchema {
  return { allOf: [one, other] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
