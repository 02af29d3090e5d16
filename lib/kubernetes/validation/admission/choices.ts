import type { JsonValue } from '../../../json/index.ts';
import { notSupported, required } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { isThere, textOf } from '../reading.ts';

/** Checks a text that may be absent. An empty one counts as given. */
export function* choice(path: string, value: JsonValue | undefined, supported: readonly string[]): Errors {
  if (isThere(value) && !supported.includes(textOf(value))) {
    yield notSupported(path, textOf(value), supported);
  }
}

/** Checks a text that must be given. */
export function* neededChoice(
  path: string,
  value: JsonValue | undefined,
  supported: readonly string[],
): Errors {
  if (!isThere(value)) yield required(path);
  yield* choice(path, value, supported);
}
