import { utf8Length } from './utf8.ts';

/**
 * Kubernetes' rules for names (k8s.io/apimachinery/pkg/util/validation). Every function returns Kubernetes' messages
 * for an invalid name, and an empty list for a valid one. Each check is one pass over the value.
 */

const LABEL_PATTERN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

export const EMPTY = 'must be non-empty';

/** Checks a name that is one DNS label (RFC 1123), such as a namespace's. */
export function dns1123LabelErrors(value: string): string[] {
  const errors = lengthErrors(value, 63);
  if (isLabel(value)) return errors;
  if (isSubdomain(value)) return [...errors, 'must not contain dots'];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, patternError({ rule, pattern: LABEL_PATTERN, examples: ['my-name', '123-abc'] })];
}

/** Checks a name of DNS labels with dots between them (RFC 1123), as most objects have. */
export function dns1123SubdomainErrors(value: string): string[] {
  const errors = lengthErrors(value, 253);
  if (isSubdomain(value)) return errors;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  const pattern = `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`;
  return [...errors, patternError({ rule, pattern, examples: ['example.com'] })];
}

/** Checks a DNS label that begins with a letter (RFC 1035), such as a Service's name. */
export function dns1035LabelErrors(value: string): string[] {
  const errors = lengthErrors(value, 63);
  if (isLabel(value) && /^[a-z]/.test(value)) return errors;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  const pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
  return [...errors, patternError({ rule, pattern, examples: ['my-name', 'abc-123'] })];
}

/** Checks a length in bytes, although Kubernetes' message says characters. */
export function lengthErrors(value: string, limit: number): string[] {
  return utf8Length(value) > limit ? [`must be no more than ${limit} characters`] : [];
}

/** Kubernetes' message for a text that does not match a pattern. */
export function patternError(options: {
  rule: string;
  pattern: string;
  examples: readonly string[];
}): string {
  // Two blanks before `or`, as Kubernetes prints it.
  const examples = options.examples.map((example) => `'${example}'`).join(',  or ');
  return `${options.rule} (e.g. ${examples}, regex used for validation is '${options.pattern}')`;
}

function isLabel(value: string): boolean {
  return /^[a-z0-9]/.test(value) && /[a-z0-9]$/.test(value.slice(-1)) && !/[^-a-z0-9]/.test(value);
}

function isSubdomain(value: string): boolean {
  return value.split('.').every(isLabel);
}
