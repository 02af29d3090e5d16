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

/** The limit of values in a patch: those of an object, plus directives and operations. */
const MOST_PATCH_VALUES = 2 * MOST_VALUES;

/**
 * A cache of parsed patches by their bytes. A patch is parsed before its object is read, and used again for each
 * attempt to write.
 */
const parsed = new WeakMap<Uint8Array, JsonValue>();

/**
 * Parses the JSON document in `bytes`. The caller must not change the result.
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

/** Whether objects and lists nest deeper than stored objects may. Does not recurse. */
export function nestsTooDeep(value: JsonValue): boolean {
  let level = holdersIn([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MOST_DEPTH && level.some((holder) => Object.keys(holder).length > 0)) return true;
    level = level.flatMap(holdersIn);
  }
  return false;
}

type Holder = JsonObject | JsonValue[];

/** Returns the objects and lists directly in an object or a list. */
function holdersIn(holder: Holder): Holder[] {
  const holders: Holder[] = [];
  const add = (member: JsonValue) => {
    if (typeof member === 'object' && member !== null) holders.push(member);
  };
  if (Array.isArray(holder)) {
    for (const member of holder) add(member);
  } else {
    // `Object.values` would allocate a list of up to 100,000 scalars.
    for (const name in holder) add(holder[name] ?? null);
  }
  return holders;
}

/**
 * Returns the patch as an object. @throws {PatchSyntaxError} with the message of Go's decoder if it is not an object
 */
export function objectIn(patch: JsonValue): JsonObject {
  if (isJsonObject(patch)) return patch;
  throw undecodable(patch, 'value of type map[string]interface {}');
}

/** Returns the error for a value that cannot be decoded into a Go value. */
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
