import { type JsonValue, MOST_VALUES, refuseManyValues } from '../../store/index.ts';
import { PatchSyntaxError } from './errors.ts';

/** Far beyond any Kubernetes object, well within what recursion over the value can take. */
const MAXIMUM_DEPTH = 500;
/** What an object may have, and the directives and operations beside it. */
const MOST_PATCH_VALUES = 2 * MOST_VALUES;

/** The JSON document in `bytes`. Throws `PatchSyntaxError`; `TooLargeError` for more than twice the values that an object may have. */
export function parsePatch(bytes: Uint8Array): JsonValue {
  const document = decode(bytes);
  refuseManyValues('the patch', document, MOST_PATCH_VALUES);
  if (nestsTooDeep(document)) {
    throw new PatchSyntaxError(`error decoding patch: it nests deeper than ${MAXIMUM_DEPTH} levels`);
  }
  return document;
}

/** Whether objects and lists nest deeper than what may be stored. Does not recurse. */
export function nestsTooDeep(value: JsonValue): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAXIMUM_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

function decode(bytes: Uint8Array): JsonValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new PatchSyntaxError(`error decoding patch: ${error instanceof Error ? error.message : error}`);
  }
}
