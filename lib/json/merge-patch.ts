import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/**
 * JSON merge patch, RFC 7386: `null` removes a key, objects merge, everything else replaces. Inputs are left
 * as they are; the result may share structure with both.
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(isJsonObject(target) ? Object.entries(target) : []);
  // A patch may have 100,000 keys. `Object.entries` would make a list for each of them.
  for (const key in patch) {
    const value = patch[key] ?? null;
    if (value === null) {
      result.delete(key);
    } else {
      result.set(key, applyMergePatch(result.get(key), value));
    }
  }
  return Object.fromEntries(result);
}

/**
 * The patch that turns `from` into `to`. Exact for objects without nulls in maps, which is what the store
 * holds: `applyMergePatch(from, mergePatchBetween(from, to))` equals `to`.
 */
export function mergePatchBetween(from: JsonObject, to: JsonObject): JsonObject {
  const patch = new Map<string, JsonValue>();
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) patch.set(key, null);
  }
  for (const [key, wanted] of Object.entries(to)) {
    const present = Object.hasOwn(from, key) ? from[key] : undefined;
    if (isJsonObject(present) && isJsonObject(wanted)) {
      const inner = mergePatchBetween(present, wanted);
      if (Object.keys(inner).length > 0) patch.set(key, inner);
    } else if (present === undefined || !jsonEquals(present, wanted)) {
      patch.set(key, wanted);
    }
  }
  return Object.fromEntries(patch);
}

/** Deep equality; the order of keys does not matter, but the order of list elements matters. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length && left.every((item, index) => jsonEquals(item, right[index] ?? null))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEquals(left[key] ?? null, right[key] ?? null))
  );
}
