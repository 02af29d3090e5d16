/** A text that YAML reads as a string without quotes. */
const PLAIN = /^[A-Za-z](?:[\w./=,()! -]*[\w./=)-])?$/;
/** Plain words that YAML reads as other values. */
const OTHER = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Returns a JSON value as YAML, for people. Absent fields are left out. */
export function yamlOf(value: unknown): string {
  return linesOf(value).join('\n');
}

function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => linesOf(item).map((line, at) => `${at === 0 ? '- ' : '  '}${line}`));
  }
  if (!isObject(value) || isEmpty(value)) return [scalarOf(value)];
  return Object.entries(value).flatMap(([key, field]) => {
    if (field === undefined) return [];
    const name = scalarOf(key);
    if (typeof field !== 'object' || field === null || isEmpty(field)) return [`${name}: ${scalarOf(field)}`];
    const indent = Array.isArray(field) ? '' : '  ';
    return [`${name}:`, ...linesOf(field).map((line) => `${indent}${line}`)];
  });
}

function scalarOf(value: unknown): string {
  const isPlain = typeof value === 'string' && PLAIN.test(value) && !OTHER.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function isEmpty(value: object): boolean {
  return Object.values(value).every((field) => field === undefined);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
