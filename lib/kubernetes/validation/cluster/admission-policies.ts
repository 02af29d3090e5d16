import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../json/index.ts';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { type Errors, invalidFor, oneOf, subdomain } from '../errors.ts';
import { goTexts } from '../go-values.ts';
import { labelKey, labelSelector } from '../label-selectors.ts';
import { nameErrors } from '../names.ts';
import { isThere, objectsOf, textOf, textsOf } from '../reading.ts';
import { matchResources } from './match-resources.ts';

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];
const MOST_ANNOTATIONS = 20;

/**
 * Follows k8s.io/kubernetes/pkg/apis/admissionregistration/validation. Expressions are required, but not checked for
 * CEL syntax, because Winnow never evaluates them.
 */
export function* admissionPolicy(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* oneOf('spec.failurePolicy', spec.failurePolicy, FAILURE_POLICIES);
  if (isThere(spec.paramKind)) yield* paramKind('spec.paramKind', objectAt(spec.paramKind));
  if (isThere(spec.matchConstraints)) {
    const path = 'spec.matchConstraints';
    const constraints = objectAt(spec.matchConstraints);
    yield* matchResources(path, constraints);
    if (objectsOf(constraints.resourceRules).length === 0) yield required(child(path, 'resourceRules'));
  } else {
    yield required('spec.matchConstraints');
  }
  yield* matchConditions('spec.matchConditions', objectsOf(spec.matchConditions));
  yield* variables('spec.variables', objectsOf(spec.variables));
  yield* decisions(textOf(metadataOf(body).name), spec);
}

function* decisions(name: string, { validations: given, auditAnnotations }: JsonObject): Errors {
  const [validations, annotations] = [objectsOf(given), objectsOf(auditAnnotations)];
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    yield required('spec.validations', detail);
    yield required('spec.auditAnnotations', detail);
  }
  for (const [at, one] of validations.entries()) yield* validation(index('spec.validations', at), one);
  if (annotations.length > MOST_ANNOTATIONS) {
    const detail = `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`;
    yield invalid('spec.auditAnnotations', annotations, detail);
  }
  const keys = new Set<string>();
  for (const [at, { key: given, valueExpression }] of annotations.entries()) {
    const path = index('spec.auditAnnotations', at);
    const key = textOf(given);
    yield* labelKey(child(path, 'key'), `${name}/${key}`);
    yield* expression(child(path, 'valueExpression'), valueExpression, 'valueExpression is not specified');
    if (keys.has(key)) yield duplicate(child(path, 'key'), key);
    keys.add(key);
  }
}

function* expression(path: string, value: JsonValue | undefined, detail = ''): Errors {
  if (textOf(value).trim() === '') yield required(path, detail);
}

function* validation(
  path: string,
  { expression: text, messageExpression, message, reason }: JsonObject,
): Errors {
  yield* expression(child(path, 'expression'), text, 'expression is not specified');
  if (isBlank(messageExpression)) {
    yield invalid(
      child(path, 'messageExpression'),
      textOf(messageExpression),
      'must be non-empty if specified',
    );
  }
  if (isBlank(message)) {
    yield invalid(child(path, 'message'), textOf(message), 'message must be non-empty if specified');
  } else if (/[\n\r]/.test(textOf(message).trim())) {
    yield invalid(child(path, 'message'), textOf(message), 'message must not contain line breaks');
  }
  if (isThere(reason) && !REASONS.includes(textOf(reason))) {
    yield notSupported(child(path, 'reason'), textOf(reason), REASONS);
  }
}

function isBlank(value: JsonValue | undefined): boolean {
  return textOf(value) !== '' && textOf(value).trim() === '';
}

function* matchConditions(path: string, conditions: readonly JsonObject[]): Errors {
  const names = new Set<string>();
  for (const [at, condition] of conditions.entries()) {
    const own = index(path, at);
    const name = textOf(condition.name);
    yield* expression(child(own, 'expression'), condition.expression);
    if (name === '') {
      yield required(child(own, 'name'));
      continue;
    }
    yield* labelKey(child(own, 'name'), name);
    if (names.has(name)) yield duplicate(child(own, 'name'), name);
    names.add(name);
  }
}

function* variables(path: string, given: readonly JsonObject[]): Errors {
  for (const [at, { name, expression: text }] of given.entries()) {
    const own = index(path, at);
    if (textOf(name).trim() === '') {
      yield required(child(own, 'name'), 'name is not specified');
    } else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(textOf(name))) {
      yield invalid(child(own, 'name'), textOf(name), 'name is not a valid CEL identifier');
    }
    yield* expression(child(own, 'expression'), text, 'expression is not specified');
  }
}

function* paramKind(path: string, { apiVersion, kind }: JsonObject): Errors {
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

/** Checks a binding: the objects that a policy applies to, and its actions. */
export function* admissionPolicyBinding(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const policy = textOf(spec.policyName);
  if (policy === '') {
    yield required('spec.policyName');
  } else {
    yield* subdomain('spec.policyName', policy);
  }
  if (isThere(spec.paramRef)) yield* paramRef('spec.paramRef', objectAt(spec.paramRef));
  if (isThere(spec.matchResources)) {
    yield* matchResources('spec.matchResources', objectAt(spec.matchResources));
  }
  yield* actions('spec.validationActions', textsOf(spec.validationActions));
}

function* actions(path: string, given: readonly string[]): Errors {
  for (const [at, action] of given.entries()) {
    if (!ACTIONS.includes(action)) yield notSupported(index(path, at), action, ACTIONS);
    if (given.indexOf(action) < at) yield duplicate(index(path, at), action);
  }
  if (given.includes('Deny') && given.includes('Warn')) {
    const why =
      'repeating the same validation failure information in the API response and headers serves no purpose';
    const printed = goTexts([...given], 'admissionregistration.ValidationAction');
    yield invalidPrinted(path, printed, `must not contain both Deny and Warn (${why})`);
  }
  if (given.length === 0) yield required(path, 'at least one validation action is required');
}

function* paramRef(path: string, { name: given, selector, parameterNotFoundAction }: JsonObject): Errors {
  const name = textOf(given);
  const both = 'name and selector are mutually exclusive';
  if (name !== '') {
    yield* invalidFor(child(path, 'name'), name, nameErrors('path', name));
    if (isThere(selector)) yield forbidden(child(path, 'name'), both);
  }
  yield* labelSelector(child(path, 'selector'), selector);
  if (isThere(selector) && name !== '') yield forbidden(child(path, 'selector'), both);
  if (name === '' && !isThere(selector)) yield required(path, 'one of name or selector must be specified');
  yield* oneOf(child(path, 'parameterNotFoundAction'), parameterNotFoundAction, NOT_FOUND_ACTIONS);
}
