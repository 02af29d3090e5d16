import type { JsonValue } from '../../json/index.ts';
import { type FieldError, SelectorError } from '../../selectors/index.ts';

/**
 * The limit of characters in a selector's text. It is four times what may be stored, which allows for spaces and
 * repetitions.
 */
const LONGEST_TEXT = 600_000;

/** The field of a selector, and its value. */
interface Source<Result> {
  readonly field: string;
  readonly value: JsonValue;
  /** The result if the value cannot be parsed. */
  readonly fallback: Result;
}

/**
 * Returns the result of `parse`. Its errors are noted at their fields below `field`, or else at `field` with its
 * value.
 */
export function parsed<Result>(
  { field, value, fallback }: Source<Result>,
  note: (errors: readonly FieldError[]) => void,
  parse: () => Result,
): Result {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    const detail = `a selector may have no more than ${LONGEST_TEXT} characters`;
    note([invalid(field, `${value.length} characters`, detail)]);
    return fallback;
  }
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    const below = error.errors.filter(
      (found) => found.field.startsWith(`${field}.`) || found.field === field,
    );
    note(below.length > 0 ? below : [invalid(field, value, error.message)]);
    return fallback;
  }
}

const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value,
  detail,
});
