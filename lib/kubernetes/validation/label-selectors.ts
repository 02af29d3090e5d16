import type { JsonValue } from '../../json/index.ts';
import {
  fromLabelSelector,
  labelKeyErrors,
  type Selector,
  SelectorError,
  validateLabels,
} from '../../selectors/index.ts';
import { type Errors, invalidFor } from './errors.ts';
import { isThere } from './reading.ts';

/** Parses a LabelSelector. Returns the selector or its errors. An absent one is `nothing`. */
export function readSelector(path: string, value: JsonValue | undefined): Selector | SelectorError {
  try {
    return fromLabelSelector(value, path);
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
}

/** Checks an optional LabelSelector. */
export function* labelSelector(path: string, value: JsonValue | undefined): Errors {
  if (!isThere(value)) return;
  const read = readSelector(path, value);
  if (read instanceof SelectorError) yield* read.errors;
}

export function* labels(path: string, value: JsonValue | undefined): Errors {
  yield* validateLabels(value, path);
}

export function* labelKey(path: string, value: string): Errors {
  yield* invalidFor(path, value, labelKeyErrors(value));
}
