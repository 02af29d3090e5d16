import type { JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { spoken, wrongType } from '../field-errors/index.ts';
import { formatCheck } from './formats.ts';
import type { Schema } from './schema.ts';

/** What a value has to be: `integer,string` of a value that may be either. */
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
  // The format of a text says what it is; upstream looks at lists as at texts.
  if (text && format !== '' && !types.includes('number') && !types.includes('integer')) return undefined;
  return fits ? undefined : wrong(types.join(','), own);
}

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

/** A format that is not checked is none. */
function formatOf({ format = '' }: Schema): string {
  return formatCheck(format) === undefined ? '' : format;
}

/** What JSON schema calls the type of a value. */
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
