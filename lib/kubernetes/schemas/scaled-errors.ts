import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { goText, invalid } from '../field-errors/index.ts';

/** The dotted paths of the values that a Scale shows. */
export interface ScaledPaths {
  readonly replicas: string;
  readonly observed: string;
  readonly selector?: string;
}

type Paths = ScaledPaths | undefined;

const MOST_REPLICAS = 2 ** 31 - 1;

/**
 * Returns the errors that prevent `/scale` from showing an object of a custom kind.
 * apiextensions-apiserver/pkg/registry/customresource/validator.go: ValidateScaleSpec, ValidateScaleStatus
 */
export function scaledErrors(paths: Paths, body: JsonObject): FieldError[] {
  return paths === undefined
    ? []
    : [...replicasErrors(body, paths.replicas), ...scaledStatusErrors(paths, body)];
}

/** Returns these errors for the status only. */
export function scaledStatusErrors(paths: Paths, body: JsonObject): FieldError[] {
  if (paths === undefined) return [];
  const { observed, selector } = paths;
  return [
    ...replicasErrors(body, observed),
    ...(selector === undefined ? [] : accessErrors(body, selector, { type: 'string', zero: '' })),
  ];
}

function replicasErrors(body: JsonObject, path: string): FieldError[] {
  const errors = accessErrors(body, path, { type: 'int64', zero: 0 });
  if (errors.length > 0) return errors;
  const replicas = Number(read(body, path.split('.')).value ?? 0);
  const refused = (detail: string) => [invalid(`.${path}`, replicas, detail)];
  if (replicas < 0) return refused('should be a non-negative integer');
  if (replicas > MOST_REPLICAS) return refused(`should be less than or equal to ${MOST_REPLICAS}`);
  return [];
}

interface Expected {
  /** Go's name of the type. */
  readonly type: 'int64' | 'string';
  readonly zero: JsonValue;
}

function accessErrors(body: JsonObject, path: string, { type, zero }: Expected): FieldError[] {
  const names = path.split('.');
  const { value, at } = read(body, names);
  if (value === undefined) return [];
  const isThere = at.length === names.length;
  const expected = isThere ? type : 'map[string]interface {}';
  if (isThere && goTypeOf(value) === type) return [];
  const why = `${goText(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;
  return [invalid(`.${path}`, zero, `.${at.join('.')} accessor error: ${why}`)];
}

/** Returns the value at a path, or at the first part of it that is not an object; `at` is the path of the value. */
function read(
  body: JsonObject,
  names: readonly string[],
): { value: JsonValue | undefined; at: readonly string[] } {
  let value: JsonValue | undefined = body;
  for (const [index, name] of names.entries()) {
    if (!isJsonObject(value)) return { value, at: names.slice(0, index) };
    value = value[name];
  }
  return { value, at: names };
}

/** Returns Go's type of a JSON value. */
function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
