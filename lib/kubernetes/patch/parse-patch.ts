import {
  DEPTH_EXCEEDED,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MOST_DEPTH,
  MOST_VALUES,
  refuseManyValues,
} from '../../json/index.ts';
import { EncodingError, parseJson } from '../encodings/index.ts';
import { PatchSyntaxError } from './errors.ts';

/** What an object may have, and the directives and operations beside it. */
const MOST_PATCH_VALUES = 2 * MOST_VALUES;

/** The documents of patches by their bytes: a patch is read before its object, and again for each attempt to write. */
const parsed = new WeakMap<Uint8Array, JsonValue>();

/**
 * The JSON document in `bytes`, which is not to be changed.
 * @throws {PatchSyntaxError}
 * @throws {TooLargeError} it has more than twice the values that an object may have
 */
export function parsePatch(bytes: Uint8Array): JsonValue {
  const known = parsed.get(bytes);
  if (known !== undefined) return known;
  const document = decode(bytes);
  refuseManyValues('the patch', document, MOST_PATCH_VALUES);
  if (nestsTooDeep(document)) {
    throw new PatchSyntaxError(DEPTH_EXCEEDED);
  }
  parsed.set(bytes, document);
  return document;
}

/** Whether objects and lists nest deeper than what may be stored. Does not recurse. */
export function nestsTooDeep(value: JsonValue): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) return true;
    const below: JsonValue[] = [];
    for (const item of level) {
      const members = typeof item === 'object' && item !== null ? Object.values(item) : [];
      for (const member of members) below.push(member);
    }
    level = below;
  }
  return false;
}

/** The object that a merge patch is. Throws `PatchSyntaxError` in the words of Go's decoder. */
export function objectIn(patch: JsonValue): JsonObject {
  if (isJsonObject(patch)) return patch;
  throw undecodable(patch, 'value of type map[string]interface {}');
}

/** The error of a value that cannot be decoded into a Go value. */
export function undecodable(value: JsonValue, into: string): PatchSyntaxError {
  const kind = Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : value === null
        ? 'null'
        : typeof value;
  return new PatchSyntaxError(`json: cannot unmarshal ${kind} into Go ${into}`);
}

function decode(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes).value;
  } catch (error) {
    throw error instanceof EncodingError ? new PatchSyntaxError(error.message) : error;
  }
}
