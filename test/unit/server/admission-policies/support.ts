import type { JsonObject } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
export const POLICIES = `${GROUP}/validatingadmissionpolicies`;
export const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;
export const MUTATING_POLICIES = `${GROUP}/mutatingadmissionpolicies`;
export const MUTATING_BINDINGS = `${GROUP}/mutatingadmissionpolicybindings`;
const kind = (name: string) => ({ apiVersion: 'admissionregistration.k8s.io/v1', kind: name });

export interface Rule {
  readonly operations?: readonly string[];
  readonly groups?: readonly string[];
  readonly versions?: readonly string[];
  readonly resources: readonly string[];
}

/** A policy that matches what the rule says, with one validation. */
export function policyOf(name: string, rule: Rule, expression: string, more: JsonObject = {}): JsonObject {
  return {
    ...kind('ValidatingAdmissionPolicy'),
    metadata: { name },
    spec: { ...matchOf(rule), validations: [{ expression }], ...more },
  };
}

function matchOf(rule: Rule): JsonObject {
  return {
    matchConstraints: {
      resourceRules: [
        {
          operations: [...(rule.operations ?? ['*'])],
          apiGroups: [...(rule.groups ?? [''])],
          apiVersions: [...(rule.versions ?? ['*'])],
          resources: [...rule.resources],
        },
      ],
    },
  };
}

export const applied = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});

export const jsonPatch = (expression: string): JsonObject => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression },
});

/** A policy that changes what the rule says. */
export function mutatingOf(
  name: string,
  rule: Rule,
  mutations: readonly JsonObject[],
  more: JsonObject = {},
): JsonObject {
  return {
    ...kind('MutatingAdmissionPolicy'),
    metadata: { name },
    spec: { ...matchOf(rule), reinvocationPolicy: 'Never', mutations: [...mutations], ...more },
  };
}

/** Creates a mutating policy and its binding. */
export async function mutate(
  { ask }: Pick<MemoryApi, 'ask'>,
  policy: JsonObject,
  binding: JsonObject = {},
): Promise<void> {
  const { name } = policy.metadata as JsonObject;
  await ask('POST', MUTATING_POLICIES, policy);
  await ask('POST', MUTATING_BINDINGS, {
    ...kind('MutatingAdmissionPolicyBinding'),
    metadata: { name: String(name) },
    spec: { policyName: String(name), ...binding },
  });
}

export function bindingOf(policyName: string, more: JsonObject = {}, name = policyName): JsonObject {
  return {
    ...kind('ValidatingAdmissionPolicyBinding'),
    metadata: { name },
    spec: { policyName, validationActions: ['Deny'], ...more },
  };
}

/** Creates a policy and its binding. */
export async function enforce(
  { ask }: Pick<MemoryApi, 'ask'>,
  policy: JsonObject,
  binding: JsonObject = {},
): Promise<void> {
  const { name } = policy.metadata as JsonObject;
  await ask('POST', POLICIES, policy);
  await ask('POST', BINDINGS, bindingOf(String(name), binding));
}

/** An API with the namespace `a`, labelled `team=red`. */
export async function apiWithNamespace(): Promise<MemoryApi> {
  const api = await createMemoryApi();
  await api.ask('POST', '/api/v1/namespaces', {
    metadata: { name: 'a', labels: { team: 'red' } },
  });
  return api;
}

export const pod = (name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'x' }] },
});

export const configMap = (name: string, data: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
