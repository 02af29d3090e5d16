import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { quote } from '../../selectors/index.ts';
import { compareText, goJson } from './go-format.ts';

/**
 * One step of a path into an object, in the text form of FieldsV1. The text is also its identity.
 *
 * - `f:spec`: a field
 * - `k:{"name":"c"}`: a list element with these keys
 * - `v:"a"`: an element of a set
 * - `i:0`: an index
 */
export type PathElement = string;

/** A path from the root of an object. */
export type Path = readonly PathElement[];

/** A text that is not a path element; the message holds the text. */
export class PathElementError extends Error {
  override name = 'PathElementError';
}

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** @param keys the values of the list's keys, e.g. `{ containerPort: 80, protocol: 'TCP' }` */
export function keyElement(keys: JsonObject): PathElement {
  return `k:${goJson(keys)}`;
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${goJson(value)}`;
}

export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** Returns the field name; undefined if the element is not a field. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

export function isKeyElement(element: PathElement): boolean {
  return element.startsWith('k:');
}

/**
 * Parses a key of FieldsV1 into its canonical form. Returns undefined for an unknown kind of element, which is
 * skipped.
 * @throws {PathElementError}
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementError('key must be 2 characters long:');
  if (text[1] !== ':') throw new PathElementError(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseJson(rest));
    case 'k': {
      const keys = parseJson(rest);
      if (!isJsonObject(keys)) throw new PathElementError(`no keys: ${text}`);
      return keyElement(keys);
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new PathElementError(`no index: ${text}`);
      return indexElement(Number(rest));
    default:
      return undefined;
  }
}

/** Compares in the order of FieldsV1: fields, keys, values, indexes; each kind by its content. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  if (a.startsWith('f:') && b.startsWith('f:')) return compareText(a, b);
  const kinds = KINDS.indexOf(a.charAt(0)) - KINDS.indexOf(b.charAt(0));
  if (kinds !== 0) return kinds;
  const [left, right] = [a.slice(2), b.slice(2)];
  switch (a.charAt(0)) {
    case 'k':
      return compareKeys(JSON.parse(left), JSON.parse(right));
    case 'v':
      return compareValues(JSON.parse(left), JSON.parse(right));
    default:
      return Number(left) - Number(right);
  }
}

/** Formats a path as in conflict messages: `.spec.containers[name="c"].image`. */
export function showPath(path: Path): string {
  return path.map(showElement).join('');
}

export function showElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${rest}`;
    case 'k': {
      const keys = Object.entries(JSON.parse(rest) as JsonObject);
      return `[${keys.map(([name, value]) => `${name}=${showValue(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${showValue(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

const KINDS = 'fkvi';

function showValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(showValue).join(',')}]`;
  if (typeof value === 'string') return quote(value);
  if (!isJsonObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}=${showValue(member)}`)
    .join('');
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PathElementError(error instanceof Error ? error.message : String(error));
  }
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Compares JSON values: numbers, strings, booleans, lists, maps, null. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  if (typeof a === 'string') return compareText(a, String(b));
  if (typeof a === 'number' || typeof a === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  return isJsonObject(a) && isJsonObject(b) ? compareKeys(a, b) : 0;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareValues(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function rankOf(value: JsonValue): number {
  if (value === null) return 5;
  if (Array.isArray(value)) return 3;
  return ['number', 'string', 'boolean', '', 'object'].indexOf(typeof value);
}
