import { child, key } from '../field-errors/index.ts';
import { additionalOf, propertiesOf, type Schema } from './schema.ts';

export interface ResolvedPath {
  /** The path in the form of errors: `spec.color`, `spec.labels[a.b]`. */
  readonly path: string;
  /** Undefined below a map of arbitrary values. */
  readonly schema: Schema | undefined;
}

/**
 * Resolves a path such as `.spec.labels['a.b']` in a schema: names and keys of maps, no indexes
 * (pkg/apiserver/schema/cel/validation.go, ValidFieldPath).
 *
 * @param brackets whether keys in brackets are allowed
 */
export function resolveFieldPath(
  text: string,
  schema: Schema,
  brackets = true,
): ResolvedPath | { readonly error: string } {
  const steps = [...text.matchAll(STEP)];
  const read = steps.reduce((length, [step]) => length + step.length, 0);
  if (read < text.length) return { error: `expected [ or . but got: ${text.slice(read)}` };
  let at: ResolvedPath | undefined = { path: '', schema };
  for (const { groups = {} } of steps) {
    if (groups.name === undefined && !brackets) return { error: 'array notation is not allowed' };
    at = follow(at, groups.name ?? unescaped(groups.key ?? ''));
    if (at === undefined) return { error: 'does not refer to a valid field' };
  }
  return at;
}

/** Matches one step. The pattern is sticky, so that steps are adjacent. */
const STEP = /\.(?<name>[^.[\]]+)|\['(?<key>(?:[^'\\]|\\.)*)'\]/gy;

function follow({ path, schema }: ResolvedPath, name: string): ResolvedPath | undefined {
  if (schema === undefined) return undefined;
  const properties = propertiesOf(schema);
  if (properties.size > 0) {
    return properties.has(name) ? { path: child(path, name), schema: properties.get(name) } : undefined;
  }
  return schema.additionalProperties === undefined
    ? undefined
    : { path: key(path, name), schema: additionalOf(schema) };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_all, letter: string) => ESCAPES[letter] ?? letter);
}
