import type { FieldError } from '../../selectors/index.ts';
import { invalid } from '../field-errors/index.ts';
import type { Schema } from './schema.ts';

/**
 * Returns the violations of `anyOf`, `oneOf`, `allOf` and `not`. Of several alternatives, the errors of the best
 * match are reported.
 *
 * @param value the name of the value in messages
 * @param path the path of the root of the validation, for which upstream reports these errors
 * @param check returns the violations of a schema by the value
 */
export function junctorErrors(
  schema: Schema,
  { value, path }: { readonly value: string; readonly path: string },
  check: (schema: Schema) => FieldError[],
): FieldError[] {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  const broken = (detail: string) => invalid(path, '', `${JSON.stringify(value)} ${detail}`);
  const errors: FieldError[] = [];
  const any = anyOf.map(check);
  if (any.length > 0 && any.every(hasErrors)) {
    errors.push(broken('must validate at least one schema (anyOf)'), ...best(any));
  }
  const one = oneOf.map(check);
  const valid = one.filter((found) => !hasErrors(found)).length;
  if (one.length > 0 && valid !== 1) {
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    errors.push(broken(`must validate one and only one schema (oneOf). ${found}`));
    if (valid === 0) errors.push(...best(one));
  }
  const all = allOf.map(check);
  if (all.some(hasErrors)) {
    const none = all.every(hasErrors) ? '. None validated' : '';
    errors.push(...all.flat(), broken(`must validate all the schemas (allOf)${none}`));
  }
  if (not !== undefined && !hasErrors(check(not))) errors.push(broken('must not validate the schema (not)'));
  return errors;
}

function hasErrors(errors: readonly FieldError[]): boolean {
  return errors.length > 0;
}

/** Returns the shortest list of errors; the first one if several are equally short. */
function best(alternatives: readonly FieldError[][]): FieldError[] {
  return alternatives.reduce(
    (shortest, next) => (next.length < shortest.length ? next : shortest),
    alternatives[0] ?? [],
  );
}
