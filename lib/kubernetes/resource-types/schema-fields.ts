import type { JsonObject } from '../../json/index.ts';

/** Constructors of OpenAPI schemas of top-level fields, with the depth that `kubectl explain` shows. */

export function string(description: string): JsonObject {
  return { type: 'string', description };
}

export function integer(description: string, format: 'int32' | 'int64' = 'int32'): JsonObject {
  return { type: 'integer', format, description };
}

export function boolean(description: string): JsonObject {
  return { type: 'boolean', description };
}

export function time(description: string): JsonObject {
  return { type: 'string', format: 'date-time', description };
}

/** Returns the schema of an object without field descriptions. */
export function object(description: string): JsonObject {
  return { type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true };
}

/**
 * Returns the schema of an object with these fields. Other fields are accepted too, unless the type's own rules
 * refuse them.
 */
export function fields(description: string, properties: Record<string, JsonObject>): JsonObject {
  return { type: 'object', description, properties };
}

export function array(description: string, items: JsonObject = object('')): JsonObject {
  return { type: 'array', description, items };
}

export function stringMap(description: string): JsonObject {
  return { type: 'object', description, additionalProperties: { type: 'string' } };
}

/** The two top-level fields of most types. */
export const SPEC_AND_STATUS: Readonly<Record<string, JsonObject>> = {
  spec: object('The desired state of the object.'),
  status: object('The last observed state of the object; written through /status.'),
};

export const SPEC_ONLY: Readonly<Record<string, JsonObject>> = {
  spec: object('The desired state of the object.'),
};
