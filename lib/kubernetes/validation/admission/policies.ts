import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { quote } from '../../../selectors/index.ts';
import type { Expressions } from '../../admission-policies/index.ts';
import { NewExpressions } from '../../admission-policies/new-expressions.ts';
import { child, duplicate, index, invalid, invalidPrinted, required } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { labelKey } from '../label-selectors.ts';
import { isThere, objectsOf, textOf } from '../reading.ts';
import { choice, neededChoice } from './choices.ts';
import { matchConditions } from './match-conditions.ts';
import {
  FAILURE_POLICIES,
  keepsConditions,
  matchConstraints,
  paramKind,
  textsAt,
  variables,
} from './policy-parts.ts';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const MOST_ANNOTATIONS = 20;
const LONGEST_VALUE_EXPRESSION = 5 * 1024;

/**
 * Checks a ValidatingAdmissionPolicy. Follows k8s.io/kubernetes/pkg/apis/admissionregistration/validation: expressions
 * must compile, and their cost is not estimated.
 *
 * @param old the policy that it replaces, whose expressions may use functions that new ones may not
 */
export function* admissionPolicy(body: JsonObject, old: JsonObject | undefined, loaded: Expressions): Errors {
  const spec = objectAt(body.spec);
  const before = objectAt(old?.spec);
  yield* neededChoice('spec.failurePolicy', spec.failurePolicy, FAILURE_POLICIES);
  const hasParams = isThere(spec.paramKind);
  if (isThere(spec.paramKind)) yield* paramKind('spec.paramKind', objectAt(spec.paramKind));
  yield* matchConstraints('spec.matchConstraints', spec.matchConstraints);
  if (old === undefined || !keepsConditions(spec, before)) {
    yield* matchConditions('spec.matchConditions', {
      conditions: objectsOf(spec.matchConditions),
      expressions: new NewExpressions({ hasParams, hasVariables: false }, loaded),
      stored: textsAt(before.matchConditions, 'expression'),
    });
  }
  const hasVariables = objectsOf(spec.variables).length > 0;
  const policy: Policy = {
    name: textOf(metadataOf(body).name),
    expressions: new NewExpressions({ hasParams, hasVariables }, loaded),
    stored: {
      validations: textsAt(before.validations, 'expression'),
      messages: textsAt(before.validations, 'messageExpression'),
      annotations: textsAt(before.auditAnnotations, 'valueExpression'),
    },
  };
  const { expressions, stored } = policy;
  yield* variables('spec.variables', objectsOf(spec.variables), {
    expressions,
    // Like upstream, which looks for a variable among the stored validations.
    stored: stored.validations,
    badName: 'name is not a valid CEL identifier',
  });
  yield* decisions(spec, policy);
}

interface Policy {
  readonly name: string;
  readonly expressions: NewExpressions;
  /** The expressions of the stored policy. */
  readonly stored: Readonly<Record<'validations' | 'messages' | 'annotations', ReadonlySet<string>>>;
}

function* decisions({ validations: given, auditAnnotations }: JsonObject, policy: Policy): Errors {
  const [validations, annotations] = [objectsOf(given), objectsOf(auditAnnotations)];
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    yield required('spec.validations', detail);
    yield required('spec.auditAnnotations', detail);
  }
  for (const [at, one] of validations.entries()) {
    yield* validation(index('spec.validations', at), one, policy);
  }
  if (annotations.length > MOST_ANNOTATIONS) {
    const detail = `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`;
    yield invalidPrinted('spec.auditAnnotations', goAnnotations(annotations), detail);
  }
  const keys = new Set<string>();
  for (const [at, one] of annotations.entries()) {
    const path = index('spec.auditAnnotations', at);
    const key = textOf(one.key);
    yield* annotation(path, one, policy);
    if (keys.has(key)) yield duplicate(child(path, 'key'), key);
    keys.add(key);
  }
}

/** Formats audit annotations as Go's `%#v`. */
function goAnnotations(annotations: readonly JsonObject[]): string {
  const type = 'admissionregistration.AuditAnnotation';
  const printed = annotations.map(
    ({ key, valueExpression }) =>
      `${type}{Key:${quote(textOf(key))}, ValueExpression:${quote(textOf(valueExpression))}}`,
  );
  return `[]${type}{${printed.join(', ')}}`;
}

function* annotation(
  path: string,
  { key, valueExpression }: JsonObject,
  { name, expressions, stored }: Policy,
): Errors {
  if (name === '') {
    yield invalid(child(path, 'key'), textOf(key), 'requires metadata.name be non-empty');
  } else {
    yield* labelKey(child(path, 'key'), `${name}/${textOf(key)}`);
  }
  const own = child(path, 'valueExpression');
  const written = textOf(valueExpression);
  const text = written.trim();
  if (text === '') {
    yield required(own, 'valueExpression is not specified');
  } else if (Buffer.byteLength(text) > LONGEST_VALUE_EXPRESSION) {
    yield required(own, `must not exceed ${LONGEST_VALUE_EXPRESSION} bytes in length`);
  } else {
    const isStored = stored.annotations.has(written);
    const error = expressions.errorOf({ text, returns: ['string', 'null_type'], isStored });
    if (error !== undefined) yield invalid(own, written, error);
  }
}

function* validation(path: string, one: JsonObject, { expressions, stored }: Policy): Errors {
  const text = textOf(one.expression);
  if (text.trim() === '') {
    yield required(child(path, 'expression'), 'expression is not specified');
  } else {
    const isStored = stored.validations.has(text);
    const error = expressions.errorOf({ text, returns: ['bool'], isStored });
    if (error !== undefined) yield invalid(child(path, 'expression'), text, error);
  }
  yield* messageExpression(child(path, 'messageExpression'), textOf(one.messageExpression), {
    expressions,
    stored,
  });
  const message = textOf(one.message);
  if (message !== '' && message.trim() === '') {
    yield invalid(child(path, 'message'), message, 'message must be non-empty if specified');
  } else if (/[\n\r]/.test(message.trim())) {
    yield invalid(child(path, 'message'), message, 'message must not contain line breaks');
  }
  yield* choice(child(path, 'reason'), one.reason, REASONS);
}

function* messageExpression(
  path: string,
  text: string,
  { expressions, stored }: Pick<Policy, 'expressions' | 'stored'>,
): Errors {
  if (text === '') return;
  if (text.trim() === '') {
    yield invalid(path, text, 'must be non-empty if specified');
    return;
  }
  const isStored = stored.messages.has(text);
  const error = expressions.errorOf({ text, returns: ['string'], isStored, hasAuthorizer: false });
  if (error !== undefined) yield invalid(path, text, error);
}
