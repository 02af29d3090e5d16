import { type JsonObject, objectAt } from '../../json/index.ts';
import { fromLabelSelector, SelectorError } from '../../selectors/index.ts';
import {
  type AdmissionAttributes,
  type GroupVersionKind,
  MatchError,
  type MatchedAs,
  matchResources,
} from '../admission-match/index.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { isThere, textOf } from './reading.ts';
import {
  type BoundPolicy,
  ConfigurationError,
  type FailedInvocation,
  type Invocation,
  type ParamQuery,
  type PolicyFacts,
} from './types.ts';

type Scope = ReturnType<PolicyFacts['scopeOf']>;

/**
 * Returns the policies and bindings that match a write, in their order, and the parameters that they need. Follows
 * Dispatch and CollectParams of k8s.io/apiserver/pkg/admission/plugin/policy. Policies that the caller hides
 * (`isHiddenFromPolicies`) are not its concern.
 */
export function invocationsOf(
  policies: readonly BoundPolicy[],
  attributes: AdmissionAttributes,
  facts: PolicyFacts,
): readonly Invocation[] {
  return policies.flatMap(({ policy, bindings }) =>
    bindings.length === 0 ? [] : policyInvocations(policy, { bindings, attributes, facts }),
  );
}

interface Asked {
  readonly bindings: readonly JsonObject[];
  readonly attributes: AdmissionAttributes;
  readonly facts: PolicyFacts;
}

function policyInvocations(policy: CompiledPolicy, asked: Asked): readonly Invocation[] {
  const found = attempt(policy, undefined, () => {
    const { matchConstraints, paramKind } = policy.spec;
    if (!isThere(matchConstraints)) {
      throw new ConfigurationError('policy contained no match constraints, a required field');
    }
    const matchedAs = matchResources(objectAt(matchConstraints), asked.attributes, asked.facts);
    if (matchedAs === undefined) return undefined;
    return { matchedAs, params: isThere(paramKind) ? paramsOf(objectAt(paramKind), asked.facts) : undefined };
  });
  if (found === undefined) return [];
  if ('error' in found) return [found];
  return asked.bindings.flatMap((binding) => {
    const invocation = attempt(policy, binding, () => bindingInvocation(policy, binding, found, asked));
    return invocation === undefined ? [] : [invocation];
  });
}

/** Returns the result, or the error of a configuration. */
function attempt<Result>(
  policy: CompiledPolicy,
  binding: JsonObject | undefined,
  work: () => Result,
): Result | FailedInvocation {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MatchError || error instanceof ConfigurationError)) throw error;
    return { policy, binding, error: error.message };
  }
}

interface Params {
  readonly kind: GroupVersionKind;
  readonly scope: NonNullable<Scope>;
}

interface Found {
  readonly matchedAs: MatchedAs;
  readonly params: Params | undefined;
}

/** @throws {ConfigurationError} the API does not serve the kind */
function paramsOf({ apiVersion, kind }: JsonObject, { scopeOf }: PolicyFacts): Params {
  const text = textOf(apiVersion);
  const slash = text.indexOf('/');
  const [group, version] = slash === -1 ? ['', text] : [text.slice(0, slash), text.slice(slash + 1)];
  const wanted = { group, version, kind: textOf(kind) };
  const scope = scopeOf(wanted);
  if (scope !== undefined) return { kind: wanted, scope };
  const named = `${group}/${version}, Kind=${wanted.kind}`;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${named}'`);
}

function bindingInvocation(
  policy: CompiledPolicy,
  binding: JsonObject,
  { matchedAs, params }: Found,
  { attributes, facts }: Asked,
): Invocation | undefined {
  const { matchResources: match, paramRef } = objectAt(binding.spec);
  if (isThere(match) && matchResources(objectAt(match), attributes, facts) === undefined) return undefined;
  const query =
    params === undefined || !isThere(paramRef)
      ? undefined
      : queryOf(objectAt(paramRef), params, attributes.namespace);
  return { policy, binding, matchedAs, params: query };
}

/** @throws {ConfigurationError} */
function queryOf(paramRef: JsonObject, { kind, scope }: Params, requested: string): ParamQuery {
  const [name, own] = [textOf(paramRef.name), textOf(paramRef.namespace)];
  const namespace = scope === 'Namespaced' ? own || requested : '';
  if (scope === 'Namespaced' && namespace === '') {
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  }
  if (scope === 'Cluster' && own !== '') {
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const selector = isThere(paramRef.selector) ? objectAt(paramRef.selector) : undefined;
  if (name !== '' && selector !== undefined) {
    throw new ConfigurationError('paramRef.name and paramRef.selector are mutually exclusive');
  }
  if (name !== '') return { kind, namespace, name, selector: undefined };
  if (selector === undefined) throw new ConfigurationError('one of name or selector must be provided');
  refuseWrong(selector);
  return { kind, namespace, name: undefined, selector };
}

/** @throws {ConfigurationError} */
function refuseWrong(selector: JsonObject): void {
  try {
    fromLabelSelector(selector);
  } catch (error) {
    throw error instanceof SelectorError ? new ConfigurationError(error.message) : error;
  }
}
