import type { JsonObject, JsonValue } from '../../json/index.ts';

/** Functions that read stored policies, whose fields have their types. */

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

export function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Whether a pointer field is set. */
export function isThere(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}
