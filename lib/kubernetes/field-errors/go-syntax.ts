import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';

/** A JSON value as Go prints it with `%#v`, which is how Kubernetes shows maps and lists in its errors. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object') {
    const names = Object.keys(value).sort();
    return `map[string]interface {}{${names.map((name) => `${JSON.stringify(name)}:${goSyntax(value[name] ?? null)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** A list of strings in the same way. */
export function goStrings(values: readonly string[]): string {
  return `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
}

/** A value as Go prints it with `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  return isJsonObject(value) ? goMap(value) : String(value);
}

function goMap(value: JsonObject): string {
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${entries.map(([key, member]) => `${key}:${goText(member ?? null)}`).join(' ')}]`;
}
