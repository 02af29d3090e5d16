import type { FieldError } from './field-error.ts';
import { isRecord } from './labels.ts';
import { dns1123SubdomainErrors, EMPTY, lengthErrors, patternError } from './names.ts';

const NAME_PATTERN = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const NAME_ERROR = patternError({
  rule: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  pattern: NAME_PATTERN,
  examples: ['MyName', 'my.name', '123-abc'],
});
const VALUE_ERROR = patternError({
  rule: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  pattern: `(${NAME_PATTERN})?`,
  examples: ['MyValue', 'my_value', '12345'],
});

/**
 * Kubernetes' messages for an invalid label key; empty for a valid one. A key is a qualified name: an optional DNS
 * prefix of at most 253 bytes, a slash, and a name of at most 63 bytes.
 */
export function labelKeyErrors(key: string): string[] {
  const slash = key.indexOf('/');
  if (slash === -1) return namePartErrors(key);
  if (key.includes('/', slash + 1)) {
    return [
      `a qualified name ${NAME_ERROR} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return [...prefixPartErrors(key.slice(0, slash)), ...namePartErrors(key.slice(slash + 1))];
}

/** Kubernetes' messages for an invalid label value; empty for a valid one. */
export function labelValueErrors(value: string): string[] {
  const errors = lengthErrors(value, 63);
  return value === '' || isName(value) ? errors : [...errors, VALUE_ERROR];
}

/**
 * Returns all errors of a map of labels. As in Kubernetes, errors name the map and not the entry; only an entry of
 * the wrong type is named itself. An absent map is valid. A null value counts as the empty string, as in Kubernetes'
 * decoder.
 */
export function validateLabels(labels: unknown, path = 'metadata.labels'): FieldError[] {
  if (labels === undefined || labels === null) return [];
  if (!isRecord(labels)) return [typeInvalid(path, labels, 'must be a map of strings')];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyErrors(key).map((detail) => invalid(path, key, detail)),
    ...valueErrors(value, path, `${path}[${key}]`),
  ]);
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { type: 'Invalid', field, value, detail };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { type: 'TypeInvalid', field, value, detail };
}

function valueErrors(value: unknown, mapPath: string, entryPath: string): FieldError[] {
  if (value === null) return [];
  if (typeof value !== 'string') return [typeInvalid(entryPath, value, 'must be a string')];
  return labelValueErrors(value).map((detail) => invalid(mapPath, value, detail));
}

function prefixPartErrors(prefix: string): string[] {
  const errors = prefix === '' ? [EMPTY] : dns1123SubdomainErrors(prefix);
  return errors.map((error) => `prefix part ${error}`);
}

function namePartErrors(name: string): string[] {
  const errors = name === '' ? [EMPTY] : lengthErrors(name, 63);
  if (!isName(name)) errors.push(NAME_ERROR);
  return errors.map((error) => `name part ${error}`);
}

function isName(value: string): boolean {
  return /^[A-Za-z0-9]/.test(value) && /[A-Za-z0-9]$/.test(value.slice(-1)) && !/[^-A-Za-z0-9_.]/.test(value);
}
