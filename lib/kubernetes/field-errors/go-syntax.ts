import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';

/** Formats a JSON value as Go's `%#v`, the form of maps and lists in Kubernetes' errors. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object') {
    const names = Object.keys(value).sort();
    return `map[string]interface {}{${names.map((name) => `${JSON.stringify(name)}:${goSyntax(value[name] ?? null)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Formats a list of strings as Go's `%#v`. */
export function goStrings(values: readonly string[]): string {
  return `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
}

/** Formats a value as Go's `%v`: `map[a:1 b:[x y]]`. */
export function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  return isJsonObject(value) ? goMap(value) : String(value);
}

/** Joins errors as Go prints an aggregate of errors: each once. */
export function goAggregate(errors: readonly string[]): string {
  const [first = '', ...others] = new Set(errors);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}

function goMap(value: JsonObject): string {
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${entries.map(([key, member]) => `${key}:${goText(member ?? null)}`).join(' ')}]`;
}
