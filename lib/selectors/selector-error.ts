import { type FieldError, formatFieldErrors } from './field-error.ts';

/**
 * A selector that Kubernetes refuses. `message` is what Kubernetes prints; `errors` has the fields at fault, and
 * is empty where the text itself cannot be read (there is no field to blame yet).
 */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
  readonly errors: readonly FieldError[];

  constructor(message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.errors = errors;
  }

  static of(errors: readonly FieldError[]): SelectorError {
    return new SelectorError(formatFieldErrors(errors), errors);
  }
}
