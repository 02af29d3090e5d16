import { checkStored } from '../../cel/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { MatchedAs } from '../admission-match/index.ts';
import { goAggregate } from '../field-errors/index.ts';
import { activationOf } from './activation.ts';
import { compileExpression } from './compile.ts';
import { Environments } from './environments.ts';
import { CONDITIONS_BUDGET, Evaluation, type Expression, OutOfBudgetError } from './evaluation.ts';
import type { Expressions } from './expressions.ts';
import { objectsOf, textOf } from './reading.ts';
import type { Judged } from './types.ts';
import { versionedObjects } from './versioned-objects.ts';

export type ConditionsResult =
  | { readonly matches: boolean }
  /** The conditions cannot be evaluated, and the failure policy is `Fail`. */
  | { readonly error: string };

interface Conditions {
  readonly conditions: readonly Expression[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** An evaluation with the budget of match conditions. */
  readonly evaluation: Evaluation;
}

/**
 * Returns whether all conditions are true. A false one decides, whatever errors the others have. Follows
 * k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions.
 *
 * @throws {TimeExceededError}
 */
export function conditionsMatch({ conditions, failurePolicy, evaluation }: Conditions): ConditionsResult {
  const errors: string[] = [];
  let isFalse = false;
  try {
    for (const condition of conditions) {
      const result = evaluation.evaluate(condition);
      if ('error' in result) errors.push(result.error);
      isFalse ||= 'value' in result && result.value === false;
    }
  } catch (error) {
    if (!(error instanceof OutOfBudgetError)) throw error;
    return failurePolicy === 'Fail' ? { error: error.message } : { matches: false };
  }
  if (isFalse) return { matches: false };
  if (errors.length === 0) return { matches: true };
  return failurePolicy === 'Fail' ? { error: goAggregate(errors) } : { matches: false };
}

/** The compiled `matchConditions` of a webhook. */
export interface MatchConditions {
  /** @throws {TimeExceededError} an expression takes too long; this says nothing about the write */
  evaluate(judged: Omit<Judged, 'namespaceObject' | 'paramsOf'>, matchedAs: MatchedAs): ConditionsResult;
}

/** Compiles the `matchConditions` of a webhook, on first use. */
export function compileConditions(webhook: JsonObject, expressions: Expressions): MatchConditions {
  let conditions: readonly Expression[] | undefined;
  const failurePolicy = webhook.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail';
  return {
    evaluate: (judged, matchedAs) => {
      conditions ??= compiled(webhook, expressions);
      expressions.refill();
      const { attributes, authorizer, now } = judged;
      const activation = activationOf({
        ...versionedObjects(judged, matchedAs.kind),
        attributes,
        matchedAs: { kind: matchedAs.kind, resource: attributes.resource },
        namespaceObject: null,
        params: undefined,
        authorizer,
      });
      const evaluation = new Evaluation({
        activation,
        variables: undefined,
        budget: CONDITIONS_BUDGET,
        now,
      });
      return conditionsMatch({ conditions, failurePolicy, evaluation });
    },
  };
}

function compiled(webhook: JsonObject, { regexes, refill }: Expressions): readonly Expression[] {
  const environment = new Environments({ hasParams: false, hasVariables: false }).of('stored', true);
  const check = (text: string) => checkStored(text, environment);
  return objectsOf(webhook.matchConditions).map(({ expression }) => {
    const text = textOf(expression);
    refill();
    return { text, compiled: compileExpression(text, { environment, regexes, returns: ['bool'], check }) };
  });
}
