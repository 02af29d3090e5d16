import { isJsonObject, type JsonValue } from '../../json/index.ts';

/**
 * Documents whose keys all begin with a `.`. A library that uses plain properties then never meets a key with a
 * meaning in JavaScript (`__proto__`, `constructor`, `toString`). Such keys are legal labels. Pointers are checked to
 * lead only through the document's own content.
 */

const ESCAPE = '.';

/** Returns a deep copy with escaped keys. */
export function escapeKeys(value: JsonValue): JsonValue {
  return mapKeys(value, (key) => ESCAPE + key);
}

/** Returns a deep copy with the original keys. */
export function unescapeKeys(value: JsonValue): JsonValue {
  return mapKeys(value, (key) => key.slice(ESCAPE.length));
}

/**
 * Converts a JSON pointer (RFC 6901) to a document into a pointer to its escaped form. For `present`, the target must
 * exist. For `add`, it must be a place where a value can be added.
 *
 * @throws {Error} the pointer leads nowhere
 */
export function escapePointer(document: JsonValue, pointer: string, use: 'present' | 'add'): string {
  const tokens = tokensOf(pointer);
  let place: JsonValue | undefined = document;
  const escaped = tokens.map((token, index) => {
    const parent = place;
    const adds = use === 'add' && index === tokens.length - 1;
    const key = isJsonObject(parent) ? ESCAPE + token : token;
    place = child(parent, key);
    if (place === undefined && !(adds && canAdd(parent, key))) throw new Error(`${pointer} is not there`);
    return key.replaceAll('~', '~0').replaceAll('/', '~1');
  });
  return ['', ...escaped].join('/');
}

/** Returns the value at `pointer` in an escaped document; undefined if there is none. */
export function resolve(document: JsonValue, pointer: string): JsonValue | undefined {
  return tokensOf(pointer).reduce<JsonValue | undefined>(
    (place, token) => child(place, isJsonObject(place) ? ESCAPE + token : token),
    document,
  );
}

function child(parent: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(parent)) return isIndex(key) ? parent[Number(key)] : undefined;
  return isJsonObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function canAdd(parent: JsonValue | undefined, key: string): boolean {
  if (Array.isArray(parent)) return key === '-' || (isIndex(key) && Number(key) <= parent.length);
  return isJsonObject(parent);
}

function isIndex(token: string): boolean {
  return /^(0|[1-9]\d*)$/.test(token);
}

function tokensOf(pointer: string): string[] {
  const [root, ...tokens] = pointer.split('/');
  if (root !== '') throw new Error('not a JSON pointer');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function mapKeys(value: JsonValue, rename: (key: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), mapKeys(item, rename)]));
}
