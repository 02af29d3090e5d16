import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import type { Expressions } from '../../admission-policies/index.ts';
import { NewExpressions } from '../../admission-policies/new-expressions.ts';
import { child, index, invalid, notSupported, required } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { isThere, objectsOf, textOf, textsOf } from '../reading.ts';
import { binding } from './bindings.ts';
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

/** Nothing can change what a DELETE leaves. */
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

/** The kinds of mutations: the field that has the expression of each, and the type of its value. */
const PATCHES: Readonly<Record<string, { readonly field: string; readonly type: string }>> = {
  ApplyConfiguration: { field: 'applyConfiguration', type: 'Object' },
  JSONPatch: { field: 'jsonPatch', type: 'list(JSONPatch)' },
};

/**
 * Checks a MutatingAdmissionPolicy. Follows k8s.io/kubernetes/pkg/apis/admissionregistration/validation of Kubernetes
 * 1.36: expressions must compile, and their cost is not estimated.
 *
 * @param old the policy that it replaces, whose expressions may use functions that new ones may not
 */
export function* mutatingPolicy(body: JsonObject, old: JsonObject | undefined, loaded: Expressions): Errors {
  const spec = objectAt(body.spec);
  const before = objectAt(old?.spec);
  yield* neededChoice('spec.failurePolicy', spec.failurePolicy, FAILURE_POLICIES);
  const hasParams = isThere(spec.paramKind);
  if (isThere(spec.paramKind)) yield* paramKind('spec.paramKind', objectAt(spec.paramKind));
  yield* matchConstraints('spec.matchConstraints', spec.matchConstraints);
  yield* operations('spec.matchConstraints', spec.matchConstraints);
  if (old === undefined || !keepsConditions(spec, before)) {
    yield* matchConditions('spec.matchConditions', {
      conditions: objectsOf(spec.matchConditions),
      expressions: new NewExpressions({ hasParams, hasVariables: false }, loaded),
      stored: textsAt(before.matchConditions, 'expression'),
    });
  }
  const expressions = new NewExpressions({ hasParams, hasVariables: true }, loaded);
  yield* variables('spec.variables', objectsOf(spec.variables), {
    expressions,
    // Like upstream, which finds no variable among the stored expressions.
    stored: new Set(),
    badName: 'must be a valid CEL identifier',
  });
  yield* mutations(objectsOf(spec.mutations), { expressions, stored: appliedIn(before) });
  const reinvocation = textOf(spec.reinvocationPolicy);
  if (reinvocation === '') {
    yield required('spec.reinvocationPolicy');
  } else {
    yield* choice('spec.reinvocationPolicy', reinvocation, REINVOCATION_POLICIES);
  }
}

/** Checks a MutatingAdmissionPolicyBinding. */
export function* mutatingPolicyBinding(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  yield* binding(spec);
  yield* operations('spec.matchResources', spec.matchResources);
}

/** Refuses rules for operations whose objects nothing can change. */
function* operations(path: string, match: JsonValue | undefined): Errors {
  for (const { operations: given } of objectsOf(objectAt(match).resourceRules)) {
    for (const operation of textsOf(given)) {
      if (OPERATIONS.includes(operation)) continue;
      yield notSupported(`${path}.resourceRules.operations`, operation, OPERATIONS);
    }
  }
}

/** The stored apply configurations. As upstream, a stored JSON patch counts as new. */
function appliedIn({ mutations: stored }: JsonObject): ReadonlySet<string> {
  const applied = objectsOf(stored).filter(({ applyConfiguration }) => isThere(applyConfiguration));
  return new Set(applied.map(({ applyConfiguration }) => textOf(objectAt(applyConfiguration).expression)));
}

interface Mutations {
  readonly expressions: NewExpressions;
  readonly stored: ReadonlySet<string>;
}

function* mutations(given: readonly JsonObject[], known: Mutations): Errors {
  if (given.length === 0) yield required('spec.mutations', 'mutations must contain at least one item');
  for (const [at, one] of given.entries()) {
    yield* mutation(index('spec.mutations', at), one, known);
  }
}

function* mutation(path: string, one: JsonObject, known: Mutations): Errors {
  const name = textOf(one.patchType);
  const patch = PATCHES[name];
  if (name === '') {
    yield required(child(path, 'patchType'));
  } else if (patch === undefined) {
    yield notSupported(child(path, 'patchType'), name, Object.keys(PATCHES));
  } else {
    const { [patch.field]: own } = one;
    if (isThere(own)) {
      yield* expression(child(child(path, patch.field), 'expression'), objectAt(own), patch.type, known);
    } else {
      yield required(child(path, patch.field), `must be specified when patchType is ${name}`);
    }
    for (const { field } of Object.values(PATCHES)) {
      if (field === patch.field || !isThere(one[field])) continue;
      yield invalid(child(path, field), `{${field}}`, `must not be specified when patchType is ${name}`);
    }
  }
}

function* expression(
  path: string,
  { expression: written }: JsonObject,
  type: string,
  { expressions, stored }: Mutations,
): Errors {
  const text = textOf(written).trim();
  if (text === '') {
    yield required(path);
    return;
  }
  const isStored = stored.has(textOf(written));
  const error = expressions.errorOf({ text, returns: [type], isStored, hasPatchTypes: true });
  if (error !== undefined) yield invalid(path, text, error);
}
