import type { JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { spoken, wrongType } from '../field-errors/index.ts';
import { formatCheck } from './formats.ts';
import type { Schema } from './schema.ts';

/**
 * Returns the error of a value with a wrong type. The expected type is `integer,string` for a value that may have
 * both.
 */
export function typeError(
  schema: Schema,
  value: JsonValue,
  { name, field }: { readonly name: string; readonly field: string },
): FieldError | undefined {
  const types = typesOf(schema);
  const format = formatOf(schema);
  const wrong = (expected: string, found: string) =>
    wrongType(field, found, `${spoken(name)} in body must be of type ${expected}: ${JSON.stringify(found)}`);
  if (value === null) {
    return types.length === 0 || schema.nullable === true ? undefined : wrong(types.join(','), 'null');
  }
  if (types.length === 0 && format === '') return undefined;
  const own = typeOf(value);
  const fits = types.includes(own) || (own === 'integer' && types.includes('number'));
  const text = own === 'string' || own === 'array';
  if (!text && format !== '' && !fits) return wrong(format, numberFormat(own));
  // The format determines the type of a text. Upstream treats lists like texts here.
  if (text && format !== '' && !types.includes('number') && !types.includes('integer')) return undefined;
  return fits ? undefined : wrong(types.join(','), own);
}

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

/** Returns the format; empty for formats that are not checked. */
function formatOf({ format = '' }: Schema): string {
  return formatCheck(format) === undefined ? '' : format;
}

/** Returns the JSON schema type of a value. */
export function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function numberFormat(type: string): string {
  if (type === 'integer') return 'int64';
  return type === 'number' ? 'float64' : '';
}
