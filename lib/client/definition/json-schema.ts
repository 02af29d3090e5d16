/** A JSON Schema (draft 2020-12), or a structural schema of Kubernetes. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The form of an integer or a string. */
export const INT_OR_STRING = { 'x-kubernetes-int-or-string': true };

/** Keywords that say nothing about values. Those beside a reference count, and not those of its target. */
const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$comment',
  '$defs',
  'id',
  'definitions',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

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

export function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two schemas, or two values of a keyword, are the same text. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @throws {UnsupportedSchemaError} always */
export function refuse(path: string, why: string): never {
  throw new UnsupportedSchemaError(path, why);
}

/** Whether a keyword says nothing about values, also one of another tool: `x-order`. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || /^x-(?!kubernetes-)/.test(keyword);
}

/** @throws {UnsupportedSchemaError} the schema has a keyword that a definition cannot express */
export function refuseOthers(schema: JsonSchema, known: readonly string[], path: string): void {
  for (const keyword of Object.keys(schema)) {
    if (known.includes(keyword) || isAnnotation(keyword)) continue;
    const why =
      keyword === 'prefixItems'
        ? 'a tuple is not possible; use an object'
        : `the keyword ${keyword} is not possible`;
    refuse(path, why);
  }
}
