import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../selectors/index.ts';
import type { NewExpressions } from '../../admission-policies/new-expressions.ts';
import { child, index, invalid, required } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { isThere, objectsOf, textOf } from '../reading.ts';
import { matchResources } from './match-resources.ts';

/** The rules that validating and mutating policies share. */

export const FAILURE_POLICIES = ['Fail', 'Ignore'];

/** The words that no variable may have as its name. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if'],
  ...['import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
]);

/** Whether a change leaves the match conditions, and what they may name, as they are. */
export function keepsConditions(spec: JsonObject, before: JsonObject): boolean {
  return ['paramKind', 'matchConditions'].every((field) =>
    jsonEquals(spec[field] ?? null, before[field] ?? null),
  );
}

/** Returns the texts that the elements of a list have in one field. */
export function textsAt(list: JsonValue | undefined, field: string): ReadonlySet<string> {
  return new Set(objectsOf(list).map((each) => textOf(each[field])));
}

/** Checks which writes a policy matches. */
export function* matchConstraints(path: string, value: JsonValue | undefined): Errors {
  if (!isThere(value)) {
    yield required(path);
    return;
  }
  const constraints = objectAt(value);
  yield* matchResources(path, constraints);
  if (objectsOf(constraints.resourceRules).length === 0) yield required(child(path, 'resourceRules'));
}

interface Variables {
  readonly expressions: NewExpressions;
  /** The expressions of the stored policy among which upstream looks for those of variables. */
  readonly stored: ReadonlySet<string>;
  /** The error of a name that is none. */
  readonly badName: string;
}

/** Checks the variables of a policy, and declares them for the expressions that follow. */
export function* variables(
  path: string,
  given: readonly JsonObject[],
  { expressions, stored, badName }: Variables,
): Errors {
  for (const [at, { name: named, expression }] of given.entries()) {
    const own = index(path, at);
    const [name, text] = [textOf(named), textOf(expression)];
    if (name.trim() === '') {
      yield required(child(own, 'name'), 'name is not specified');
    } else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED.has(name)) {
      yield invalid(child(own, 'name'), name, badName);
    }
    if (text.trim() === '') {
      yield required(child(own, 'expression'), 'expression is not specified');
      continue;
    }
    const error = expressions.variableError(name, text, stored.has(text));
    if (error !== undefined) yield invalid(child(own, 'expression'), text, error);
  }
}

export function* paramKind(path: string, { apiVersion, kind }: JsonObject): Errors {
  yield* groupVersion(child(path, 'apiVersion'), textOf(apiVersion));
  const name = textOf(kind);
  if (name === '') {
    yield required(child(path, 'kind'));
    return;
  }
  const errors = dns1035LabelErrors(name.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${errors.join(',')}`;
  if (errors.length > 0) yield invalid(child(path, 'kind'), name, detail);
}

function* groupVersion(path: string, text: string): Errors {
  const parts = text.split('/');
  if (text === '') {
    yield required(path);
  } else if (parts.length > 2) {
    yield invalid(path, text, `unexpected GroupVersion string: ${text}`);
  } else {
    const [version = '', group = ''] = parts.toReversed();
    const wrong = group === '' ? [] : dns1123SubdomainErrors(group);
    if (wrong.length > 0) yield invalid(path, group, wrong.join(','));
    const errors = dns1035LabelErrors(version);
    if (version === '') {
      yield invalid(path, text, 'version must be specified');
    } else if (errors.length > 0) {
      yield invalid(path, version, errors.join(','));
    }
  }
}
