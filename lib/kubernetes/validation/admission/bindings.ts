import { type JsonObject, objectAt } from '../../../json/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalidPrinted,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { type Errors, invalidFor, oneOf, subdomain } from '../errors.ts';
import { goTexts } from '../go-values.ts';
import { labelSelector } from '../label-selectors.ts';
import { nameErrors } from '../names.ts';
import { isThere, textOf, textsOf } from '../reading.ts';
import { matchResources } from './match-resources.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];

/** Checks a binding of a validating policy: the objects that the policy applies to, and its actions. */
export function* admissionPolicyBinding(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* binding(spec);
  yield* actions('spec.validationActions', textsOf(spec.validationActions));
}

/** Checks what bindings of validating and of mutating policies have. */
export function* binding(spec: JsonObject): Errors {
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
