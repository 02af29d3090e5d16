import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import type { ObjectState } from '../../../store/index.ts';
import { type Amounts, amountsOf } from '../amounts.ts';
import type { Evaluator, Scope } from './evaluator.ts';

/** The part of a quota that counts objects of one type. */
export interface Quota {
  readonly state: ObjectState;
  /** The limit of each resource. */
  readonly hard: Amounts;
  readonly scopes: readonly Scope[];
}

/** The part of a quota that an evaluator counts; undefined if the quota limits none of its resources. */
export function quotaOf(state: ObjectState, evaluator: Evaluator): Quota | undefined {
  const spec = objectAt(state.body.spec ?? {});
  const hard = new Map([...amountsOf(spec.hard)].filter(([name]) => evaluator.counts(name)));
  return hard.size === 0 ? undefined : { state, hard, scopes: scopesOf(spec) };
}

function scopesOf({ scopes, scopeSelector }: JsonObject): Scope[] {
  const plain = textsOf(scopes).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
  const { matchExpressions } = objectAt(scopeSelector ?? {});
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.filter(isJsonObject) : [];
  const selected = expressions.map(({ scopeName, operator, values }) => ({
    scopeName: String(scopeName),
    operator: String(operator),
    values: textsOf(values),
  }));
  return [...plain, ...selected];
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Whether an object is in all scopes of a quota. */
export function isCounted({ scopes }: Quota, body: JsonObject, evaluator: Evaluator): boolean {
  return scopes.every((scope) => evaluator.isWithin(scope, body));
}
