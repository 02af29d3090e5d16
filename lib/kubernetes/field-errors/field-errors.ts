import type { JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { named } from './field-path.ts';
import { goSyntax } from './go-syntax.ts';

/**
 * Constructors of field errors, as in k8s.io/apimachinery/pkg/util/validation/field. A `path` of `''` is the root.
 */

export function required(path: string, detail = ''): FieldError {
  return { type: 'Required', field: named(path), detail };
}

export function forbidden(path: string, detail: string): FieldError {
  return { type: 'Forbidden', field: named(path), detail };
}

export function invalid(path: string, value: JsonValue, detail: string): FieldError {
  if (typeof value === 'object' && value !== null) return invalidPrinted(path, goSyntax(value), detail);
  return { type: 'Invalid', field: named(path), value: value ?? 'null', detail };
}

/** Returns an invalid-value error whose value is printed as Go prints it, if that is not its JSON. */
export function invalidPrinted(path: string, printed: string, detail: string): FieldError {
  return { type: 'Invalid', field: named(path), detail: `${printed}: ${detail}` };
}

export function wrongType(path: string, value: string, detail: string): FieldError {
  return { type: 'TypeInvalid', field: named(path), value, detail };
}

export function notSupported(path: string, value: JsonValue, supported: readonly string[]): FieldError {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  const detail = `supported values: ${list}`;
  if (typeof value === 'object' && value !== null) {
    return { type: 'NotSupported', field: named(path), detail: `${goSyntax(value)}: ${detail}` };
  }
  return { type: 'NotSupported', field: named(path), value: value ?? 'null', detail };
}

export function duplicate(path: string, value: JsonValue): FieldError {
  const scalar = typeof value !== 'object' || value === null;
  const field = named(path);
  return scalar
    ? { type: 'Duplicate', field, value: value ?? 'null', detail: '' }
    : { type: 'Duplicate', field, detail: goSyntax(value) };
}

export function notFound(path: string, value: string): FieldError {
  return { type: 'NotFound', field: named(path), value, detail: '' };
}

export function tooLong(path: string, most: number): FieldError {
  return { type: 'TooLong', field: named(path), detail: `may not be more than ${most} bytes` };
}

export function tooMany(path: string, size: number, most: number): FieldError {
  return { type: 'TooMany', field: named(path), value: size, detail: `must have at most ${most} items` };
}
