import { TooLargeError } from './errors.ts';
import type { JsonValue } from './json.ts';

/** How large a JSON value is: how many values it is made of, itself included, and about what it takes decoded. */
export interface Extent {
  readonly values: number;
  /** Bytes of V8's heap, rather too many than too few. */
  readonly heap: number;
}

/**
 * JSON values of one object. A body of 768 KiB that is all pods, endpoints or managed fields has 50,000; one of
 * `[{},{},…]` had 260,000, and took 16 MB of heap where it took 100 bytes of the table.
 */
export const MOST_VALUES = 100_000;

/** Levels of objects and lists below a JSON value. What decodes, patches and owns fields walks a value recursively. */
export const MOST_DEPTH = 500;

/** The refusal of a value that nests deeper, in the words of Go's decoder and with the limit. */
export const DEPTH_EXCEEDED = `exceeded max depth: objects may be nested ${MOST_DEPTH} levels deep`;

/**
 * Bytes on the heap, measured on V8 13.6 (64 bits, no pointer compression): an empty object of `JSON.parse` takes 56
 * and its place 8; an array 48 and its place 8; a place in an array, of a small number or a literal, 8, of another
 * number 24; a string its characters, a header, and its place. A key that came before costs its place; a new one
 * also its string and an entry in the object's dictionary. A number as a key makes a table of elements.
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

/** @param text the value's JSON, where it is at hand */
export function extentOf(value: JsonValue, text: string = JSON.stringify(value)): Extent {
  // One character beyond Latin-1 makes two bytes of each in its string.
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
 * Refuses what has more values than an object may have, before anything else walks it.
 *
 * @throws {TooLargeError}
 */
export function refuseManyValues(what: string, value: JsonValue, most: number = MOST_VALUES): void {
  const values = countValues(value, most);
  if (values > most) throw new TooLargeError(what, values, { limit: most, unit: 'JSON values' });
}

/** The values that a value is made of; where they are more than `most`, just how many were seen by then. */
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
