import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { quote } from '../../selectors/index.ts';

/** The characters that Go's encoder escapes in a string, including quotes, backslashes and HTML characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
const ESCAPED = /[\u0000-\u001f"\\<>&\u2028\u2029]/g;
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Formats JSON as Go does: sorted keys, no spaces, HTML escaped. */
export function goJson(value: JsonValue): string {
  if (typeof value === 'string') return goJsonString(value);
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = sortedEntries(value).map(([key, member]) => `${goJsonString(key)}:${goJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Formats a value as Go's `%v`: `map[a:b]`, `[a b]`. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  return `map[${sortedEntries(value)
    .map(([key, member]) => `${key}:${goText(member)}`)
    .join(' ')}]`;
}

/** Formats a value as Go's `%#v`: `map[string]interface {}{"a":"b"}`. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const members = sortedEntries(value).map(([key, member]) => `${quote(key)}:${goSyntax(member)}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** Formats the type of a value from JSON as Go's `%T`. */
export function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** Compares strings as Go does: by their UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return inOrder(left) - inOrder(right);
  }
  return a.length - b.length;
}

/**
 * Maps a UTF-16 code unit to its place in UTF-8 order. UTF-16 sorts characters beyond U+FFFF before U+E000; UTF-8
 * sorts them after U+FFFF.
 */
function inOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function goJsonString(text: string): string {
  return `"${text.replace(ESCAPED, (char) => SHORT[char] ?? unicode(char))}"`;
}

function unicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function sortedEntries(value: JsonObject): [string, JsonValue][] {
  return Object.entries(value).sort(([a], [b]) => compareText(a, b));
}
