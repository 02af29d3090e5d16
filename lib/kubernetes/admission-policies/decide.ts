import { typeNameOf } from '../../cel/index.ts';
import type { JsonObject, JsonValue } from '../../json/index.ts';
import { activationOf } from './activation.ts';
import type { Annotation, CompiledPolicy, Validation } from './compiled-policy.ts';
import {
  type Activation,
  BUDGET,
  CONDITIONS_BUDGET,
  Evaluation,
  type Expression,
  OutOfBudgetError,
  type Result,
} from './evaluation.ts';
import { conditionsMatch } from './match-conditions.ts';
import type { BindingInvocation, Judged } from './types.ts';
import type { VersionedObjects } from './versioned-objects.ts';

/** The longest message that an expression computes, in bytes. */
const LONGEST_MESSAGE = 5 * 1024;

/** What one validation says of a write. */
export interface Decision {
  readonly isAdmitted: boolean;
  readonly message: string;
  /** `''` for errors of an evaluation. */
  readonly reason: string;
}

/** The value of an audit annotation, or why the write is denied without it. */
export type Published = { readonly key: string; readonly value: string } | { readonly error: string };

export interface Decisions {
  readonly decisions: readonly Decision[];
  readonly annotations: readonly Published[];
}

interface Inputs extends VersionedObjects {
  readonly judged: Judged;
  readonly namespaceObject: JsonValue;
  readonly params: JsonObject | undefined;
}

const NOTHING: Decisions = { decisions: [], annotations: [] };

/**
 * Evaluates a policy for one write and one parameter, as Validate of
 * k8s.io/apiserver/pkg/admission/plugin/policy/validating does.
 *
 * @throws {TimeExceededError}
 */
export function decide({ policy, matchedAs }: BindingInvocation, inputs: Inputs): Decisions {
  const { judged, ...values } = inputs;
  const { attributes, authorizer, now } = judged;
  const { failurePolicy } = policy;
  const write = { ...values, attributes, matchedAs, authorizer };
  const activation = activationOf(write);
  const evaluation = (each: Activation, budget: number) =>
    new Evaluation({ activation: each, variables: policy.variables, budget, now });
  if (policy.conditions.length > 0) {
    // Like upstream: conditions see no namespace, and the resource of the request.
    const asked = { kind: matchedAs.kind, resource: attributes.resource };
    const own = activationOf({ ...write, matchedAs: asked, namespaceObject: null });
    const result = conditionsMatch({
      conditions: policy.conditions,
      failurePolicy,
      evaluation: evaluation(own, CONDITIONS_BUDGET),
    });
    if ('error' in result) return failed(policy, result.error);
    if (!result.matches) return NOTHING;
  }
  const withoutAuthorizer = activationOf({ ...write, authorizer: undefined });
  try {
    const validations = evaluation(activation, BUDGET);
    const results = policy.validations.map((each) => validations.evaluate(each));
    const messages = messagesOf(policy, evaluation(withoutAuthorizer, validations.left));
    const decisions = policy.validations.map((validation, at) =>
      decisionOf(validation, results[at], { policy, messages, at }),
    );
    const annotations = evaluation(withoutAuthorizer, BUDGET);
    const published = policy.annotations.map((each) => ({ each, result: annotations.evaluate(each) }));
    return {
      decisions,
      annotations: published.flatMap(({ each, result }) => publishedOf(policy, each, result)),
    };
  } catch (error) {
    if (error instanceof OutOfBudgetError) return failed(policy, error.message);
    throw error;
  }
}

function failed({ failurePolicy }: CompiledPolicy, message: string): Decisions {
  return { decisions: [{ isAdmitted: failurePolicy === 'Ignore', message, reason: '' }], annotations: [] };
}

/** The values of the expressions of messages, or the error by which all validations fail. */
type Messages = readonly (Result | undefined)[] | { readonly spent: string };

function messagesOf({ messages }: CompiledPolicy, evaluation: Evaluation): Messages {
  try {
    return messages.map((each: Expression | undefined) => each && evaluation.evaluate(each));
  } catch (error) {
    if (!(error instanceof OutOfBudgetError)) throw error;
    return { spent: `failed messageExpression: ${error.message}` };
  }
}

interface Context {
  readonly policy: CompiledPolicy;
  readonly messages: Messages;
  readonly at: number;
}

function decisionOf(
  validation: Validation,
  result: Result | undefined,
  { policy, messages, at }: Context,
): Decision {
  const error = (message: string): Decision => ({
    isAdmitted: policy.failurePolicy === 'Ignore',
    message,
    reason: '',
  });
  if (result !== undefined && 'error' in result) return error(result.error);
  if ('spent' in messages) return error(messages.spent);
  if (result?.value === true) return { isAdmitted: true, message: '', reason: '' };
  const message =
    computedMessage(messages[at]) ||
    validation.message.trim() ||
    `failed expression: ${validation.text.trim()}`;
  return { isAdmitted: false, message, reason: validation.reason || 'Invalid' };
}

/** Returns the message that an expression computes; `''` if it is not usable. */
function computedMessage(result: Result | undefined): string {
  if (result === undefined || 'error' in result || typeof result.value !== 'string') return '';
  const message = result.value.trim();
  return message.includes('\n') || Buffer.byteLength(message) > LONGEST_MESSAGE ? '' : message;
}

function publishedOf(
  { failurePolicy }: CompiledPolicy,
  { key, text }: Annotation,
  result: Result,
): readonly Published[] {
  if ('error' in result) return failurePolicy === 'Ignore' ? [] : [{ error: result.error }];
  const { value } = result;
  if (value === null) return [];
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ key, value: value.trim() }];
  const type = `resulted in unsupported return type: ${typeNameOf(value)}`;
  return [{ error: `valueExpression '${text}' ${type}. Return type must be either string or null.` }];
}
