import { isJsonObject, type JsonValue } from './json.ts';

/**
 * The value at a dotted path, `undefined` where the path leaves the object. Reads own properties only, and so
 * accepts any body, whatever shape a client gave it.
 */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>(step, value);
}

function step(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
