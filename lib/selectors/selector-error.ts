import { type FieldError, formatFieldErrors } from './field-error.ts';

/**
 * The error for a selector that Kubernetes rejects. `message` is what Kubernetes prints. `errors` names the invalid
 * fields; it is empty where the text itself cannot be parsed.
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
