import type { JsonObject } from '../../json/index.ts';
import type { MatchedAs } from '../admission-match/index.ts';
import type { Expressions } from './expressions.ts';
import type { Judged } from './types.ts';

export type ConditionsResult =
  | { readonly matches: boolean }
  /** The conditions cannot be evaluated, and the failure policy is `Fail`. */
  | { readonly error: string };

/** The compiled `matchConditions` of a webhook. */
export interface MatchConditions {
  /** @throws {TimeExceededError} an expression takes too long; this says nothing about the write */
  evaluate(judged: Omit<Judged, 'namespaceObject' | 'paramsOf'>, matchedAs: MatchedAs): ConditionsResult;
}

/** Compiles the `matchConditions` of a webhook, on first use. */
export function compileConditions(_webhook: JsonObject, _expressions: Expressions): MatchConditions {
  throw new Error('not written yet');
}
