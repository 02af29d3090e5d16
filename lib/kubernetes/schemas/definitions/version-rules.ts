import type { FieldError } from '../../../selectors/index.ts';
import { child, duplicate, index, invalid, required, tooMany } from '../../field-errors/index.ts';
import type { Schema } from '../schema.ts';
import { resolveFieldPath } from '../valid-field-path.ts';
import type { PrinterColumn, Subresources, Version } from './definition.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MOST_SELECTABLE_FIELDS = 8;
const MOST_WARNING_CHARACTERS = 256;

/** Returns the errors in the subresources of a version. */
export function subresourceErrors({ scale }: Subresources, path: string): FieldError[] {
  if (scale === undefined) return [];
  const at = (name: string) => child(path, `scale.${name}`);
  const { labelSelectorPath = '' } = scale;
  return [
    ...replicasErrors(scale.specReplicasPath ?? '', '.spec', at('specReplicasPath')),
    ...replicasErrors(scale.statusReplicasPath ?? '', '.status', at('statusReplicasPath')),
    ...(labelSelectorPath === '' ? [] : selectorPathErrors(labelSelectorPath, at('labelSelectorPath'))),
  ];
}

/** Returns the errors in the columns of a version. */
export function columnErrors(columns: readonly PrinterColumn[], path: string): FieldError[] {
  return columns.flatMap(({ name = '', type = '', format = '', jsonPath = '' }, at) => {
    const here = index(path, at);
    const types = `must be one of ${COLUMN_TYPES.join(',')}`;
    return [
      ...(name === '' ? [required(child(here, 'name'))] : []),
      ...(type === '' ? [required(child(here, 'type'), types)] : []),
      ...(type === '' || COLUMN_TYPES.includes(type) ? [] : [invalid(child(here, 'type'), type, types)]),
      ...(format === '' || COLUMN_FORMATS.includes(format)
        ? []
        : [invalid(child(here, 'format'), format, `must be one of ${COLUMN_FORMATS.join(',')}`)]),
      ...(jsonPath === ''
        ? [required(child(here, 'JSONPath'))]
        : simplePathErrors(jsonPath, child(here, 'JSONPath'))),
    ];
  });
}

/** Returns the errors in the selectable fields of a version. */
export function selectableFieldErrors(
  fields: readonly { readonly jsonPath: string }[],
  schema: Schema,
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath = '' }, at) => {
    const here = child(index(path, at), 'jsonPath');
    if (jsonPath === '') return [required(here)];
    const found = resolveFieldPath(jsonPath, schema, false);
    if ('error' in found) return [invalid(here, jsonPath, `is an invalid path: ${found.error}`)];
    const known = seen.has(found.path);
    seen.add(found.path);
    return [
      ...(/^metadata(\.|$)/.test(found.path)
        ? [invalid(here, jsonPath, 'must not point to fields in metadata')]
        : []),
      ...(['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')
        ? []
        : [
            invalid(
              here,
              jsonPath,
              'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
            ),
          ]),
      ...(known ? [duplicate(here, jsonPath)] : []),
    ];
  });
  return seen.size > MOST_SELECTABLE_FIELDS
    ? [...errors, tooMany(path, seen.size, MOST_SELECTABLE_FIELDS)]
    : errors;
}

/** Returns the errors in the warning for users of a deprecated version. */
export function deprecationErrors(
  { deprecated = false, deprecationWarning: warning }: Version,
  path: string,
): FieldError[] {
  if (warning === undefined) return [];
  const at = child(path, 'deprecationWarning');
  if (!deprecated) return [invalid(at, warning, 'can only be set for deprecated versions')];
  const control = [...warning].findIndex((character) => /\p{C}/u.test(character));
  return [
    ...(Buffer.byteLength(warning) > MOST_WARNING_CHARACTERS
      ? [invalid(at, warning, `must be <= ${MOST_WARNING_CHARACTERS} characters long`)]
      : []),
    ...(warning === '' ? [invalid(at, warning, 'must not be an empty string')] : []),
    ...(control === -1
      ? []
      : [
          invalid(
            at,
            warning,
            `must only contain printable UTF-8 characters; non-printable character found at index ${control}`,
          ),
        ]),
  ];
}

function replicasErrors(value: string, root: '.spec' | '.status', path: string): FieldError[] {
  if (value === '') return [required(path)];
  const errors = simplePathErrors(value, path);
  if (errors.length > 0 || value.startsWith(`${root}.`)) return errors;
  return [invalid(path, value, `should be a json path under ${root}`)];
}

function selectorPathErrors(value: string, path: string): FieldError[] {
  const errors = simplePathErrors(value, path);
  if (errors.length > 0 || /^\.(spec|status)\./.test(value)) return errors;
  return [invalid(path, value, 'should be a json path under either .spec or .status')];
}

function simplePathErrors(value: string, path: string): FieldError[] {
  return value.startsWith('.') ? [] : [invalid(path, value, 'must be a simple json path starting with .')];
}
