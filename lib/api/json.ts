import { isJsonObject, type JsonValue } from '../store/index.ts';
import { badRequest } from './status.ts';

/** Deeper bodies are refused before anything else walks them recursively. */
const DEEPEST = 500;

/**
 * The value without the null values of its maps, as typed decoding leaves them out; nulls in lists stay.
 * @throws ApiError 400 when it is nested too deep.
 */
export function dropNulls(value: JsonValue, depth = 0): JsonValue {
  if (depth > DEEPEST) {
    throw badRequest(`exceeded max depth: objects may be nested ${DEEPEST} levels deep`);
  }
  if (Array.isArray(value)) {
    return value.map((item) => dropNulls(item, depth + 1));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, dropNulls(member, depth + 1)]));
}

/** What Go would call a value of the wrong type. */
export function typeName(value: JsonValue): string {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'boolean') {
    return 'bool';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}
