import type { JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { invalid, notSupported, spoken, tooLong, wrongType } from '../field-errors/index.ts';
import { formatCheck } from './formats.ts';
import { type Patterns, PatternWorkError } from './patterns.ts';
import { sameValue } from './same-value.ts';
import type { Schema } from './schema.ts';

interface Place {
  readonly name: string;
  readonly field: string;
  readonly patterns: Patterns;
}

/** Returns the errors of a text or a number, and of any value with an enum. */
export function scalarErrors(schema: Schema, value: JsonValue, place: Place): FieldError[] {
  return [
    ...(typeof value === 'string'
      ? [...textErrors(schema, value, place), ...formatErrors(schema, value, place)]
      : []),
    ...(typeof value === 'number' ? numberErrors(schema, value, place) : []),
    ...enumErrors(schema, value, place),
  ];
}

/** Returns the first error of a text. */
function textErrors(schema: Schema, value: string, { name, field, patterns }: Place): FieldError[] {
  const { maxLength, minLength, pattern = '' } = schema;
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength) return [tooLong(field, maxLength)];
  if (minLength !== undefined && length < minLength) {
    return [invalid(field, value, `${said(name)} should be at least ${minLength} chars long`)];
  }
  if (pattern === '') return [];
  try {
    const fits = patterns.test(pattern)(value);
    return fits ? [] : [invalid(field, value, `${said(name)} should match '${pattern}'`)];
  } catch (error) {
    if (!(error instanceof PatternWorkError)) throw error;
    return [invalid(field, typeof value, `${said(name)} ${error.message}`)];
  }
}

function formatErrors({ format = '' }: Schema, value: string, { name, field }: Place): FieldError[] {
  const check = formatCheck(format);
  if (check === undefined || check(value)) return [];
  return [wrongType(field, value, `${said(name)} must be of type ${format}: ${JSON.stringify(value)}`)];
}

function numberErrors(schema: Schema, value: number, { name, field }: Place): FieldError[] {
  const { multipleOf, maximum, minimum, exclusiveMaximum = false, exclusiveMinimum = false } = schema;
  const errors: FieldError[] = [];
  const wrong = (detail: string) => errors.push(invalid(field, value, `${said(name)} ${detail}`));
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    if (multipleOf > 0) {
      wrong(`should be a multiple of ${multipleOf}`);
    } else {
      const detail = `factor MultipleOf declared for ${spoken(name)} must be positive: ${multipleOf}`;
      errors.push(invalid(field, multipleOf, detail));
    }
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    wrong(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    wrong(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  }
  return errors;
}

/** Whether a number is a multiple of a factor. Like upstream, it inverts a factor below one first. */
function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return false;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

function enumErrors({ enum: allowed = [] }: Schema, value: JsonValue, { field }: Place): FieldError[] {
  if (allowed.length === 0 || allowed.some((one) => sameValue(one, asKindOf(one, value)))) return [];
  const shown = allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return [notSupported(field, value, shown)];
}

/** Converts a number before the comparison as Go does: to an integer, if the allowed value is one. */
function asKindOf(allowed: JsonValue, value: JsonValue): JsonValue {
  return typeof value === 'number' && Number.isInteger(allowed) ? Math.trunc(value) : value;
}

function said(name: string): string {
  return `${spoken(name)} in body`;
}
