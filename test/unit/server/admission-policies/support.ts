import type { JsonObject } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
export const POLICIES = `${GROUP}/validatingadmissionpolicies`;
export const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`;
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
    spec: {
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
      validations: [{ expression }],
      ...more,
    },
  };
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
