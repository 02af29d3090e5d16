import { isJsonObject, type JsonValue } from './json.ts';
import { TooLargeError } from './too-large-error.ts';

/** The size of a JSON value: its number of values, itself included, and about the memory that it takes decoded. */
export interface JsonSize {
  readonly values: number;
  /** Bytes of V8's heap; an estimate that errs on the high side. */
  readonly heap: number;
}

/**
 * The most JSON values of one object. A body of 768 KiB of pods, endpoints or managed fields has about 50,000 values.
 * Without the limit, a body of `[{},{},…]` could have 520,000 values. The code that reads, patches, applies and validates
 * a body visits every value a few times. So the limit bounds the CPU time of one request to about half a second.
 */
export const MOST_VALUES = 60_000;

/**
 * The most characters of the paths of all values of one body together: `spec.containers[0].name` has 23. Errors,
 * warnings and field ownership name values by their paths. A long key around many values would therefore cost the
 * product of both. The largest definitions of real operators need 20 million.
 */
export const MOST_PATH_CHARACTERS = 64 * 1024 * 1024;

/**
 * The most characters of the path of one value. V8 hashes strings longer than 16,383 characters by their length
 * alone. A map of many such paths would compare each with all others.
 */
export const LONGEST_PATH = 10_000;

/** The characters that a list index adds to a path: `[12]`, with room for long lists. */
const INDEX_CHARACTERS = 6;

/**
 * The most levels of objects and lists below a JSON value. The code that decodes, patches and owns fields is
 * recursive.
 */
export const MOST_DEPTH = 500;

/** The message for a value that nests deeper, in the words of Go's decoder and with the limit. */
export const DEPTH_EXCEEDED = `exceeded max depth: objects may be nested ${MOST_DEPTH} levels deep`;

/**
 * Bytes on the heap, measured on V8 13.6 (64 bits, no pointer compression). A place is the slot of a value in its
 * holder:
 *
 * - An empty object of `JSON.parse` takes 56, and its place 8. An array takes 48, and its place 8.
 * - A place in an array takes 8 for a small number or a literal, and 24 for another number.
 * - A string takes its characters, a header, and its place.
 * - A key that occurred before costs its place. A new key also costs its string and an entry in the object's
 *   dictionary.
 * - A number as a key makes a table of elements.
 */
const HEAP = {
  object: 64,
  array: 56,
  place: 8,
  number: 24,
  string: 48,
  newKey: 100,
  numericKey: 160,
} as const;

/** Returns the size of a value. @param text the value's JSON, where the caller already has it */
export function jsonSizeOf(value: JsonValue, text: string = JSON.stringify(value)): JsonSize {
  // One character beyond Latin-1 makes every character of its string take two bytes.
  let heap = text.length * (/[\u0100-\uffff]/.test(text) ? 2 : 1);
  let values = 0;
  const keys = new Set<string>();
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    values += 1;
    heap += shallowHeap(next);
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) {
      for (const key of Object.keys(next)) {
        heap += /^\d/.test(key) ? HEAP.numericKey : keys.has(key) ? HEAP.place : HEAP.newKey;
        keys.add(key);
      }
    }
    for (const member of Object.values(next)) open.push(member);
  }
  return { values, heap };
}

function shallowHeap(value: JsonValue): number {
  if (Array.isArray(value)) return HEAP.array;
  if (typeof value === 'object' && value !== null) return HEAP.object;
  if (typeof value === 'string') return HEAP.string;
  return typeof value === 'number' ? HEAP.number : HEAP.place;
}

/**
 * Throws for a body with more values than an object may have, or with longer paths, before other code walks it.
 *
 * @throws {TooLargeError}
 */
export function refuseManyValues(what: string, value: JsonValue, most: number = MOST_VALUES): void {
  let [values, characters] = [1, 0];
  const open: { readonly value: JsonValue; readonly length: number }[] = [{ value, length: 0 }];
  const add = (member: JsonValue, length: number) => {
    characters += length;
    if (length > LONGEST_PATH) {
      const limit = { limit: LONGEST_PATH, unit: 'characters in the path of a field' };
      throw new TooLargeError(what, length, limit);
    }
    if (typeof member === 'object' && member !== null) open.push({ value: member, length });
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: holder, length } = next;
    if (Array.isArray(holder)) {
      values += holder.length;
      for (const member of holder) add(member, length + INDEX_CHARACTERS);
    } else if (isJsonObject(holder)) {
      for (const name in holder) {
        values += 1;
        add(holder[name] ?? null, length + name.length + 1);
      }
    }
    if (values > most) throw new TooLargeError(what, values, { limit: most, unit: 'JSON values' });
    if (characters > MOST_PATH_CHARACTERS) {
      const limit = { limit: MOST_PATH_CHARACTERS, unit: 'characters in the paths of its fields' };
      throw new TooLargeError(what, characters, limit);
    }
  }
}

/** The number of values in a value. Counting stops above `most`; the result is then the number counted so far. */
export function countValues(value: JsonValue, most: number = Number.POSITIVE_INFINITY): number {
  let values = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined && values + open.length <= most; next = open.pop()) {
    values += 1;
    if (typeof next === 'object' && next !== null) {
      for (const member of Object.values(next)) open.push(member);
    }
  }
  return values + open.length;
}
