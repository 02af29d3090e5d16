import type { JsonValue } from '../../json/index.ts';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  patternError,
} from '../../selectors/index.ts';
import { invalid, invalidPrinted, notSupported, required } from '../field-errors/index.ts';
import { goIntOrString } from './go-values.ts';
import { numberOf, textOf } from './reading.ts';

/** The errors that a rule reports, in Kubernetes' order. */
export type Errors = Generator<FieldError, void, undefined>;

/** A rule without checks. */
export function* nothing(): Errors {}

/** Yields an error for each detail about one value. */
export function* invalidFor(path: string, value: JsonValue, details: readonly string[]): Errors {
  for (const detail of details) yield invalid(path, value, detail);
}

export function* nonNegative(path: string, value: JsonValue | undefined): Errors {
  if (numberOf(value) < 0) yield invalid(path, numberOf(value), 'must be greater than or equal to 0');
}

export function* positive(path: string, value: JsonValue | undefined): Errors {
  if (numberOf(value) <= 0) yield invalid(path, numberOf(value), 'must be greater than zero');
}

/** Checks that a text is one of the supported values. An absent text is reported as required. */
export function* oneOf(path: string, value: JsonValue | undefined, supported: readonly string[]): Errors {
  const text = textOf(value);
  if (text === '') {
    yield required(path);
  } else if (!supported.includes(text)) {
    yield notSupported(path, text, supported);
  }
}

export function* label(path: string, value: string): Errors {
  yield* invalidFor(path, value, dns1123LabelErrors(value));
}

export function* subdomain(path: string, value: string): Errors {
  yield* invalidFor(path, value, dns1123SubdomainErrors(value));
}

export function portNumberErrors(port: number): string[] {
  return port >= 1 && port <= 65_535 ? [] : ['must be between 1 and 65535, inclusive'];
}

const LONGEST_PORT_NAME = 15;

/** Returns the errors in the name of a port, which is an IANA service name. */
export function portNameErrors(name: string): string[] {
  return [
    ...(name.length > LONGEST_PORT_NAME ? [`must be no more than ${LONGEST_PORT_NAME} characters`] : []),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(name.startsWith('-') || name.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
  ];
}

export function* portNumberOrName(path: string, value: JsonValue | undefined): Errors {
  if (typeof value === 'string') {
    yield* invalidFor(path, value, portNameErrors(value));
  } else {
    yield* invalidFor(path, numberOf(value), portNumberErrors(numberOf(value)));
  }
}

const NO_PERCENTAGE = patternError({
  rule: "a valid percent string must be a numeric string followed by an ending '%'",
  pattern: '[0-9]+%',
  examples: ['1%', '93%'],
});

/** Checks that a value is a number ≥ 0 or a percentage, if it is set. */
export function* countOrPercent(path: string, value: JsonValue | undefined): Errors {
  if (typeof value === 'number') yield* nonNegative(path, value);
  if (typeof value !== 'string' || /^[0-9]+%$/.test(value)) return;
  yield invalidPrinted(path, goIntOrString(value), NO_PERCENTAGE);
}

export function* notOverAll(path: string, value: JsonValue | undefined): Errors {
  if (typeof value !== 'string' || !/^[0-9]+%$/.test(value) || Number.parseInt(value, 10) <= 100) return;
  yield invalidPrinted(path, goIntOrString(value), 'must not be greater than 100%');
}

/** Returns the number of a count or percentage; 0 if it is neither. */
export function countOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? Number.parseInt(value, 10) || 0 : numberOf(value);
}
