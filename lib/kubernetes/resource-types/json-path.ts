import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../json/index.ts';

/** The scalar at `path` as a string, `''` where there is none. */
export function textAt(value: JsonValue | undefined, path: string): string {
  const found = valueAt(value, path);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found)
    : '';
}

/** The number at `path`, `otherwise` where there is none. */
export function numberAt(value: JsonValue | undefined, path: string, otherwise = 0): number {
  const found = valueAt(value, path);
  return typeof found === 'number' ? found : otherwise;
}

/** The elements of the array at `path`, none where there is no array. */
export function listAt(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** The object at `path`, empty where there is none. */
export function objectAt(value: JsonValue | undefined, path: string): JsonObject {
  const found = valueAt(value, path);
  return isJsonObject(found) ? found : {};
}
