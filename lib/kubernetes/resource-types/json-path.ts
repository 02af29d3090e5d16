import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../json/index.ts';

/** Returns the scalar at `path` as a string; `''` if there is none. */
export function textAt(value: JsonValue | undefined, path: string): string {
  const found = valueAt(value, path);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : '';
}

/** Returns the number at `path`; `otherwise` if there is none. */
export function numberAt(value: JsonValue | undefined, path: string, otherwise = 0): number {
  const found = valueAt(value, path);
  return typeof found === 'number' ? found : otherwise;
}

/** Returns the elements of the array at `path`; empty if there is no array. */
export function listAt(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** Returns the object at `path`; empty if there is none. */
export function objectAt(value: JsonValue | undefined, path: string): JsonObject {
  const found = valueAt(value, path);
  return isJsonObject(found) ? found : {};
}
