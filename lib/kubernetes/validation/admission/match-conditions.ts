import type { JsonObject } from '../../../json/index.ts';
import type { NewExpressions } from '../../admission-policies/new-expressions.ts';
import { child, duplicate, index, invalid, required, tooMany } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { labelKey } from '../label-selectors.ts';
import { textOf } from '../reading.ts';

const MOST_CONDITIONS = 64;

interface Conditions {
  readonly conditions: readonly JsonObject[];
  readonly expressions: NewExpressions;
  /** The expressions of the conditions of the stored object. */
  readonly stored: ReadonlySet<string>;
}

/** Checks `matchConditions` of a policy or webhook. */
export function* matchConditions(path: string, { conditions, expressions, stored }: Conditions): Errors {
  const names = new Set<string>();
  if (conditions.length > MOST_CONDITIONS) yield tooMany(path, conditions.length, MOST_CONDITIONS);
  for (const [at, condition] of conditions.entries()) {
    const own = index(path, at);
    const name = textOf(condition.name);
    const text = textOf(condition.expression).trim();
    if (text === '') {
      yield required(child(own, 'expression'));
    } else {
      const error = expressions.errorOf({ text, returns: ['bool'], isStored: stored.has(text) });
      if (error !== undefined) yield invalid(child(own, 'expression'), text, error);
    }
    if (name === '') {
      yield required(child(own, 'name'));
      continue;
    }
    yield* labelKey(child(own, 'name'), name);
    if (names.has(name)) yield duplicate(child(own, 'name'), name);
    names.add(name);
  }
}
