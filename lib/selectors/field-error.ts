import { quote } from './quote.ts';

export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'TooLong'
  | 'TooMany'
  | 'Duplicate'
  | 'NotFound'
  | 'TypeInvalid';

/**
 * One error of one field, as in k8s.io/apimachinery/pkg/util/validation/field. `field` is a path such as
 * `spec.selector.matchExpressions[0].operator`. Omit `value` where the message must not show one.
 */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly value?: unknown;
  readonly detail: string;
}

const TITLES = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  Duplicate: 'Duplicate value',
  NotFound: 'Not found',
  TypeInvalid: 'Invalid value',
} as const satisfies Record<FieldErrorType, string>;

const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set(['Required', 'Forbidden', 'TooLong']);

/** Formats one error as Kubernetes does: `metadata.labels: Invalid value: "a b": a valid label must …`. */
export function formatFieldError(error: FieldError): string {
  const showsValue = error.value !== undefined && !WITHOUT_VALUE.has(error.type);
  const parts = [error.field, TITLES[error.type]];
  if (showsValue) parts.push(formatValue(error));
  if (error.detail !== '') parts.push(error.detail);
  return parts.join(': ');
}

/** Formats several errors as Kubernetes does: each message once, in brackets where there are several. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const messages = new Set(errors.map(formatFieldError));
  const list = [...messages].join(', ');
  return messages.size > 1 ? `[${list}]` : list;
}

/** Formats a value as Go does: a list of strings is `[]string{"a", "b"}`. */
function formatValue({ value }: FieldError): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return `[]string{${value.map(quote).join(', ')}}`;
  }
  return JSON.stringify(value) ?? String(value);
}
