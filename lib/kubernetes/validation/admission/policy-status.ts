import { type JsonObject, objectAt } from '../../../json/index.ts';
import { patternError } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  index,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { labelKey } from '../label-selectors.ts';
import { numberOf, objectsOf, textOf } from '../reading.ts';

const STATUSES = ['False', 'True', 'Unknown'];
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const NO_REASON = patternError({
  rule: "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  pattern: REASON,
  examples: ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'],
});

/** Checks a status that a client writes. The JSON path of a warning's `fieldRef` is not parsed. */
export function* admissionPolicyStatus({ status: given }: JsonObject): Errors {
  const { typeChecking, conditions } = objectAt(given);
  const warnings = objectsOf(objectAt(typeChecking).expressionWarnings);
  for (const [at, { warning, fieldRef }] of warnings.entries()) {
    const path = index('status.typeChecking.expressionWarnings', at);
    if (textOf(warning) === '') yield required(child(path, 'warning'));
    if (textOf(fieldRef).trim() === '') yield required(child(path, 'fieldRef'));
  }
  const types = new Set<string>();
  for (const [at, condition] of objectsOf(conditions).entries()) {
    const path = index('status.conditions', at);
    const type = textOf(condition.type);
    if (types.has(type)) yield duplicate(child(path, 'type'), type);
    types.add(type);
    yield* conditionErrors(path, condition);
  }
}

/** Follows ValidateCondition of k8s.io/apimachinery/pkg/apis/meta/v1/validation. */
function* conditionErrors(path: string, condition: JsonObject): Errors {
  const [status, reason] = [textOf(condition.status), textOf(condition.reason)];
  yield* labelKey(child(path, 'type'), textOf(condition.type));
  if (!STATUSES.includes(status)) yield notSupported(child(path, 'status'), status, STATUSES);
  const generation = numberOf(condition.observedGeneration);
  if (generation < 0) {
    yield invalid(child(path, 'observedGeneration'), generation, 'must be greater than or equal to zero');
  }
  if (textOf(condition.lastTransitionTime) === '') {
    yield required(child(path, 'lastTransitionTime'), 'must be set');
  }
  if (reason === '') {
    yield required(child(path, 'reason'), 'must be set');
  } else if (!new RegExp(`^${REASON}$`).test(reason)) {
    yield invalid(child(path, 'reason'), reason, NO_REASON);
  }
  if (Buffer.byteLength(reason) > LONGEST_REASON) yield tooLong(child(path, 'reason'), LONGEST_REASON);
  if (Buffer.byteLength(textOf(condition.message)) > LONGEST_MESSAGE) {
    yield tooLong(child(path, 'message'), LONGEST_MESSAGE);
  }
}
