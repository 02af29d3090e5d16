import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';

/** Functions that read a decoded value. If it is absent, they return the zero value of its type. */

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Returns the entries of a map of strings. */
export function entriesOf(value: JsonValue | undefined): [string, string][] {
  return isJsonObject(value) ? Object.entries(value).map(([key, text]) => [key, textOf(text)]) : [];
}

/** Whether a pointer field is set. */
export function isThere(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}
