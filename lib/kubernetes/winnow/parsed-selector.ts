import type { JsonValue } from '../../json/index.ts';
import { type FieldError, SelectorError } from '../../selectors/index.ts';

/** Characters of a selector's text that is parsed: four times what may be stored, for spaces and what is there twice. */
const LONGEST_TEXT = 600_000;

/** Where a selector stands, and what it is written as. */
interface Source<Result> {
  readonly field: string;
  readonly value: JsonValue;
  /** Instead of what cannot be parsed. */
  readonly fallback: Result;
}

/** What `parse` gives; its errors are noted under `field`, with its value, where they name none below it. */
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
