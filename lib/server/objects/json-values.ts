import { DEPTH_EXCEEDED, isJsonObject, type JsonValue, MOST_DEPTH } from '../../json/index.ts';
import { badRequest } from '../status/index.ts';

/** Fields that are maps of strings in every type. Decoding turns nulls in them into empty strings. */
const STRING_MAPS: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels']);

/**
 * The value without the nulls in its maps, as typed decoding omits them. Nulls in lists stay.
 * @throws ApiError 400 the value is nested too deep
 */
export function dropNulls(value: JsonValue, depth = 0): JsonValue {
  if (depth > MOST_DEPTH) throw badRequest(DEPTH_EXCEEDED);
  if (Array.isArray(value)) return value.map((item) => dropNulls(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    kept.map(([key, member]) => [
      key,
      dropNulls(STRING_MAPS.has(key) ? emptyForNull(member) : member, depth + 1),
    ]),
  );
}

/** @throws ApiError 400 the value is nested too deep for recursive functions */
export function refuseDeep(value: JsonValue, depth = 0): void {
  if (depth > MOST_DEPTH) throw badRequest(DEPTH_EXCEEDED);
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) refuseDeep(member ?? null, depth + 1);
  }
}

function emptyForNull(map: JsonValue): JsonValue {
  if (!isJsonObject(map)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));
}

/** Go's name for the type of a value. */
export function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}
