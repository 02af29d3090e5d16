import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import {
  child,
  duplicate,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../field-errors/index.ts';
import { type Errors, nonNegative, subdomain } from '../errors.ts';
import { goPointer } from '../go-values.ts';
import { labelKey } from '../label-selectors.ts';
import { isThere, numberOf, objectsOf, textOf } from '../reading.ts';
import { countOfIndexes, readIndexes } from './indexes.ts';

const MOST_RULES = 20;
const MOST_PATTERNS = 20;
const MOST_EXIT_CODES = 255;
const LONGEST_MANAGER = 63;
const LONGEST_INDEXES = 64 * 1024;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const NO_PATH = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/** Checks the controller of a Job that is not Kubernetes' own: `acme.io/foo`. */
export function* managedBy(path: string, value: JsonValue | undefined): Errors {
  if (!isThere(value)) return;
  const name = textOf(value);
  yield* domainPrefixed(path, name);
  if (name.length > LONGEST_MANAGER) yield tooLong(path, LONGEST_MANAGER);
}

function* domainPrefixed(path: string, name: string): Errors {
  if (name === '') {
    yield required(path);
    return;
  }
  const [, host = '', rest = ''] = /^([^/]*)\/(.*)$/s.exec(name) ?? [];
  if (host === '' || rest === '') {
    yield invalid(path, name, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  yield* subdomain(path, host);
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)) yield invalid(path, rest, NO_PATH);
}

/** Checks the policy for failed pods of a Job. */
export function* podFailurePolicy(path: string, spec: JsonObject): Errors {
  if (!isThere(spec.podFailurePolicy)) return;
  const rules = objectsOf(objectAt(spec.podFailurePolicy).rules);
  const own = child(path, 'rules');
  if (rules.length > MOST_RULES) yield tooMany(own, rules.length, MOST_RULES);
  const pod = objectAt(objectAt(spec.template).spec);
  const names = [...objectsOf(pod.containers), ...objectsOf(pod.initContainers)].map(({ name }) => name);
  for (const [at, rule] of rules.entries()) yield* failureRule(index(own, at), rule, { spec, names });
}

interface FailureContext {
  readonly spec: JsonObject;
  /** The names of the containers. */
  readonly names: readonly (JsonValue | undefined)[];
}

function* failureRule(path: string, rule: JsonObject, { spec, names }: FailureContext): Errors {
  const action = textOf(rule.action);
  yield* supported(child(path, 'action'), action, ACTIONS);
  if (action === 'FailIndex' && !isThere(spec.backoffLimitPerIndex)) {
    yield invalid(child(path, 'action'), action, 'requires the backoffLimitPerIndex to be set');
  }
  const patterns = objectsOf(rule.onPodConditions);
  if (isThere(rule.onExitCodes)) {
    yield* exitCodes(child(path, 'onExitCodes'), objectAt(rule.onExitCodes), names);
  }
  if (patterns.length > 0) yield* podConditions(child(path, 'onPodConditions'), patterns);
  if (isThere(rule.onExitCodes) === patterns.length > 0) {
    const detail = isThere(rule.onExitCodes)
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required';
    yield { type: 'Invalid', field: path, detail };
  }
}

/** Checks that a text is one of the supported values. If it is absent, the error lists them. */
function* supported(path: string, value: string, all: readonly string[]): Errors {
  if (value === '') {
    yield required(path, `valid values: [${all.map((one) => JSON.stringify(one)).join(' ')}]`);
  } else if (!all.includes(value)) {
    yield notSupported(path, value, all);
  }
}

function* podConditions(path: string, patterns: readonly JsonObject[]): Errors {
  if (patterns.length > MOST_PATTERNS) yield tooMany(path, patterns.length, MOST_PATTERNS);
  for (const [at, pattern] of patterns.entries()) {
    const own = index(path, at);
    yield* labelKey(child(own, 'type'), textOf(pattern.type));
    yield* supported(child(own, 'status'), textOf(pattern.status), STATUSES);
  }
}

function* exitCodes(path: string, requirement: JsonObject, names: FailureContext['names']): Errors {
  const { containerName, operator } = requirement;
  yield* supported(child(path, 'operator'), textOf(operator), OPERATORS);
  if (isThere(containerName) && !names.includes(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    yield invalid(child(path, 'containerName'), containerName, detail);
  }
  yield* codes(child(path, 'values'), requirement);
}

function* codes(path: string, { values: given, operator }: JsonObject): Errors {
  const values = Array.isArray(given) ? given.map(numberOf) : [];
  if (values.length === 0) {
    const printed = Array.isArray(given) ? '[]int32{}' : '[]int32(nil)';
    yield invalidPrinted(path, printed, 'at least one value is required');
  }
  if (values.length > MOST_EXIT_CODES) yield tooMany(path, values.length, MOST_EXIT_CODES);
  for (const [at, value] of values.entries()) {
    const own = index(path, at);
    if (operator === 'In' && value === 0) yield invalid(own, value, 'must not be 0 for the In operator');
    if (values.indexOf(value) < at) yield duplicate(own, value);
  }
  if (values.some((value, at) => at > 0 && (values[at - 1] ?? value) > value)) {
    yield invalidPrinted(path, `[]int32{${values.join(', ')}}`, 'must be ordered');
  }
}

/** Checks the conditions under which an indexed Job succeeds. */
export function* successPolicy(path: string, spec: JsonObject): Errors {
  if (!isThere(spec.successPolicy)) return;
  const rules = objectsOf(objectAt(spec.successPolicy).rules);
  if (spec.completionMode !== 'Indexed') {
    const printed = rules.map(
      ({ succeededIndexes, succeededCount }) =>
        `batch.SuccessPolicyRule{SucceededIndexes:${goPointer('string', succeededIndexes)}, SucceededCount:${goPointer('int32', succeededCount)}}`,
    );
    const shown = `batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule{${printed.join(', ')}}}`;
    yield invalidPrinted(path, shown, 'requires indexed completion mode');
    return;
  }
  const own = child(path, 'rules');
  if (rules.length === 0) {
    yield required(own, 'at least one rules must be specified when the successPolicy is specified');
  }
  if (rules.length > MOST_RULES) yield tooMany(own, rules.length, MOST_RULES);
  for (const [at, rule] of rules.entries()) {
    yield* successRule(index(own, at), rule, numberOf(spec.completions));
  }
}

function* successRule(path: string, rule: JsonObject, completions: number): Errors {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (!isThere(count) && !isThere(indexes)) {
    yield required(path, 'at least one of succeededCount or succeededIndexes must be specified');
  }
  const text = textOf(indexes);
  const read = readIndexes(text, completions);
  const own = child(path, 'succeededIndexes');
  if (text.length > LONGEST_INDEXES) yield tooLong(own, LONGEST_INDEXES);
  if (typeof read === 'string') yield invalid(own, text, `error parsing succeededIndexes: ${read}`);
  if (!isThere(count)) return;
  const countPath = child(path, 'succeededCount');
  yield* nonNegative(countPath, count);
  if (numberOf(count) > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    yield invalid(countPath, count, detail);
  }
  const total = typeof read === 'string' ? 0 : countOfIndexes(read);
  if (isThere(indexes) && numberOf(count) > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    yield invalid(countPath, count, detail);
  }
}
