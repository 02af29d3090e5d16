import type { AccessCheck, AccessDecision } from '../../../../lib/cel/libraries/index.ts';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { AdmissionAttributes, MatchFacts } from '../../../../lib/kubernetes/admission-match/index.ts';
import {
  compilePolicy,
  type Expressions,
  invocationsOf,
  type Judged,
  judge,
  loadExpressions,
  type ParamQuery,
  type Verdict,
} from '../../../../lib/kubernetes/admission-policies/index.ts';

const expressions = await loadExpressions();

export const ALL_RULES = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];

/** A Deployment `x` of the namespace `default`, as its owner `jane` creates it. */
export function createOf(
  object: JsonObject,
  changes: Partial<AdmissionAttributes> = {},
): AdmissionAttributes {
  return {
    operation: 'CREATE',
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    subresource: '',
    name: 'x',
    namespace: 'default',
    user: { name: 'jane', uid: '', groups: ['devs'], extra: {} },
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    object,
    oldObject: undefined,
    ...changes,
  };
}

export function policyOf(spec: JsonObject, name = 'p'): JsonObject {
  const matchConstraints = {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: ALL_RULES,
  };
  return { metadata: { name }, spec: { failurePolicy: 'Fail', matchConstraints, ...spec } };
}

export function bindingOf(spec: JsonObject = {}, name = 'b'): JsonObject {
  return { metadata: { name }, spec: { policyName: 'p', validationActions: ['Deny'], ...spec } };
}

export interface Case {
  readonly policies?: readonly JsonObject[];
  readonly spec?: JsonObject;
  readonly bindings?: readonly JsonObject[];
  readonly attributes?: AdmissionAttributes;
  readonly object?: JsonObject;
  readonly namespaceObject?: JsonObject;
  readonly paramsOf?: (query: ParamQuery) => readonly JsonObject[];
  readonly scope?: 'Cluster' | 'Namespaced' | undefined;
  readonly check?: (access: AccessCheck) => AccessDecision;
  readonly facts?: Partial<MatchFacts>;
  readonly expressions?: Expressions;
  readonly changes?: Partial<Judged>;
}

/** Judges a write by one policy and its bindings, or by several policies with the same bindings. */
export function judged(given: Case): Verdict {
  const attributes = given.attributes ?? createOf(given.object ?? {});
  const policies = given.policies ?? [policyOf(given.spec ?? {})];
  const bound = policies.map((policy) => ({
    policy: compilePolicy(policy, given.expressions ?? expressions),
    bindings: given.bindings ?? [bindingOf()],
  }));
  const facts = {
    namespaceLabels: {},
    equivalents: [],
    scopeOf: () => ('scope' in given ? given.scope : 'Namespaced'),
    ...given.facts,
  };
  return judge(invocationsOf(bound, attributes, facts), {
    attributes,
    namespaceObject: given.namespaceObject,
    paramsOf: given.paramsOf ?? (() => []),
    authorizer: { check: given.check ?? (() => ({ isAllowed: false, reason: '' })) },
    convert: (object) => object,
    ...given.changes,
  });
}

/** Returns the message of the denial after `denied request: `; undefined for an admitted write. */
export function denialOf(given: Case): string | undefined {
  return judged(given).denial?.message.replace(
    /^ValidatingAdmissionPolicy 'p'( with binding 'b')? denied request: /,
    '',
  );
}
