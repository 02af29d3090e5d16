import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { findResourceType, type ResourceType } from '../../../../lib/kubernetes/resource-types/index.ts';
import { objectErrors } from '../../../../lib/kubernetes/validation/index.ts';
import { formatFieldError } from '../../../../lib/selectors/index.ts';

const metadata = { name: 'p', uid: 'u', creationTimestamp: '2020-01-01T00:00:00Z', resourceVersion: '1' };
const RULE = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'], scope: '*' };
const MATCH = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [RULE] };

function typeOf(resource: string): ResourceType {
  const type = findResourceType('admissionregistration.k8s.io', 'v1', resource);
  if (type === undefined) throw new Error(`no type ${resource}`);
  return type;
}

const applied = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

function policy(spec: JsonObject): JsonObject {
  const usual = { failurePolicy: 'Fail', matchConstraints: MATCH, reinvocationPolicy: 'Never' };
  return { metadata, spec: { ...usual, mutations: [applied('Object{}')], ...spec } };
}

async function errorsOf(resource: string, body: JsonObject, old?: JsonObject): Promise<string[]> {
  return (await objectErrors({ type: typeOf(resource), body, old })).map(formatFieldError);
}

const AT = 'spec.mutations[0]';

describe('a MutatingAdmissionPolicy', () => {
  test.each<[JsonObject, string[]]>([
    [{}, []],
    [{ mutations: [patched('[JSONPatch{op: "add", path: "/x", value: Object.x{y: 1}}]')] }, []],
    [{ mutations: [patched('[JSONPatch{op: "add", path: "/" + jsonpatch.escapeKey("a/b")}]')] }, []],
    [
      { failurePolicy: 'x' },
      ['spec.failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"'],
    ],
    [{ matchConstraints: null }, ['spec.matchConstraints: Required value']],
    [
      { matchConstraints: { ...MATCH, resourceRules: [{ ...RULE, operations: ['CREATE', 'DELETE'] }] } },
      [
        'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
    [{ reinvocationPolicy: '' }, ['spec.reinvocationPolicy: Required value']],
    [
      { reinvocationPolicy: 'Often' },
      ['spec.reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"'],
    ],
    [{ mutations: [] }, ['spec.mutations: Required value: mutations must contain at least one item']],
    [{ mutations: [{}] }, [`${AT}.patchType: Required value`]],
    [
      { mutations: [{ patchType: 'Merge' }] },
      [`${AT}.patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"`],
    ],
    [
      { mutations: [{ patchType: 'JSONPatch' }] },
      [`${AT}.jsonPatch: Required value: must be specified when patchType is JSONPatch`],
    ],
    [
      { mutations: [{ ...patched('[JSONPatch{}]'), applyConfiguration: {} }] },
      [
        `${AT}.applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch`,
      ],
    ],
    [{ mutations: [applied(' ')] }, [`${AT}.applyConfiguration.expression: Required value`]],
    [
      { mutations: [applied('[Object{}]')] },
      [
        `${AT}.applyConfiguration.expression: Invalid value: "[Object{}]": must evaluate to Object but got list(Object)`,
      ],
    ],
    [
      { mutations: [patched(' [] ')] },
      [`${AT}.jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)`],
    ],
    [
      { mutations: [applied('Object.spec{}')] },
      [
        `${AT}.applyConfiguration.expression: Invalid value: "Object.spec{}": must evaluate to Object but got Object.spec`,
      ],
    ],
    [
      { variables: [{ name: 'a-b', expression: '1' }] },
      ['spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier'],
    ],
  ])('its errors are those of Kubernetes: %j', async (spec, expected) => {
    expect(await errorsOf('mutatingadmissionpolicies', policy(spec))).toEqual(expected);
  });

  test('its variables and conditions cannot make patches, and its mutations see variables', async () => {
    const variables = [{ name: 'made', expression: 'Object{}' }];
    const [error = ''] = await errorsOf('mutatingadmissionpolicies', policy({ variables }));
    expect(error).toContain("undeclared reference to 'Object'");
    const uses = policy({
      variables: [{ name: 'three', expression: '3' }],
      mutations: [applied('Object{spec: Object.spec{replicas: variables.three}}')],
    });
    expect(await errorsOf('mutatingadmissionpolicies', uses)).toEqual([]);
  });

  test('a stored apply configuration keeps functions that a new one may not use', async () => {
    const uses = policy({ mutations: [applied('Object{x: semver("1.2.3").major()}')] });
    const [error = ''] = await errorsOf('mutatingadmissionpolicies', uses);
    expect(error).toContain("undeclared reference to 'semver'");
    expect(await errorsOf('mutatingadmissionpolicies', uses, uses)).toEqual([]);
  });
});

describe('a MutatingAdmissionPolicyBinding', () => {
  test.each<[JsonObject, string[]]>([
    [{ policyName: 'p' }, []],
    [{}, ['spec.policyName: Required value']],
    [
      { policyName: 'p', matchResources: { ...MATCH, resourceRules: [{ ...RULE, operations: ['DELETE'] }] } },
      [
        'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
    [
      { policyName: 'p', paramRef: { parameterNotFoundAction: 'Deny' } },
      ['spec.paramRef: Required value: one of name or selector must be specified'],
    ],
  ])('its errors are those of Kubernetes: %j', async (spec, expected) => {
    expect(await errorsOf('mutatingadmissionpolicybindings', { metadata, spec })).toEqual(expected);
  });
});
