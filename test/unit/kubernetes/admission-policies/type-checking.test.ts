import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { loadExpressions } from '../../../../lib/kubernetes/admission-policies/index.ts';
import {
  type TypeSource,
  typeWarnings,
} from '../../../../lib/kubernetes/admission-policies/type-checking.ts';
import { loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import { resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';

const fields = await loadFields();
const source: TypeSource = {
  types: [...resourceTypes, { group: 'example.com', version: 'v1', kind: 'Custom', resource: 'customs' }],
  fieldsOf: ({ group, version, kind }) => fields.kind(group === '' ? version : `${group}/${version}`, kind),
  expressions: await loadExpressions(),
};

function rule(apiGroups: string[], apiVersions: string[], resources: string[]): JsonObject {
  return { apiGroups, apiVersions, operations: ['*'], resources };
}

const DEPLOYMENTS = rule(['apps'], ['v1'], ['deployments']);

/** Returns the warnings of a policy with these expressions, by their fields. */
function warned(spec: JsonObject, ...expressions: readonly string[]): Record<string, string> {
  const warnings = typeWarnings(
    {
      spec: {
        matchConstraints: { resourceRules: [DEPLOYMENTS] },
        validations: expressions.map((expression) => ({ expression })),
        ...spec,
      },
    },
    source,
  );
  return Object.fromEntries(warnings.map(({ fieldRef, warning }) => [fieldRef, warning]));
}

describe('the type check of a policy', () => {
  test('warns of fields that the matched kind does not have, and of operands of other types', () => {
    expect(
      warned({}, 'object.spec.replicas > 1', "object.spec.replicas == 'x'", 'oldObject.spec.size == 1'),
    ).toEqual({
      'spec.validations[1].expression':
        "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_==_' applied to '(int, string)'\n" +
        " | object.spec.replicas == 'x'\n | .....................^\n",
      'spec.validations[2].expression':
        "apps/v1, Kind=Deployment: ERROR: <input>:1:15: undefined field 'size'\n" +
        ' | oldObject.spec.size == 1\n | ..............^\n',
    });
  });

  test.each([
    ["object.metadata.namespace == 'a' && object.metadata.__namespace__ == 'a'"],
    ["object.kind == 'Deployment' && object.apiVersion == 'apps/v1'"],
    ["object.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z')"],
    ["object.metadata.labels['a'] == 'b' && object.metadata.managedFields[0].fieldsV1 != null"],
    [
      "object.spec.template.spec.containers.all(c, quantity(c.resources.limits['cpu']).isLessThan(quantity('1')))",
    ],
    [
      'object.spec.strategy.rollingUpdate.maxSurge == 1 || object.spec.strategy.rollingUpdate.maxSurge == "1%"',
    ],
    ["authorizer.requestResource.check('update').allowed()"],
    ['request.dryRun && namespaceObject.metadata.name == "a"'],
  ])('knows the types of %s', (expression) => {
    expect(warned({}, expression)).toEqual({});
  });

  test('does not check the type of the whole expression, but that of a message expression', () => {
    const validations = [
      { expression: 'object.spec.replicas', messageExpression: "object.spec.replicas + 'x'" },
    ];
    expect(Object.keys(warned({ validations }))).toEqual(['spec.validations[0].messageExpression']);
  });

  test('names every kind that a rule without wildcards matches, in the order of groups', () => {
    const resourceRules = [
      rule(['apps'], ['v1'], ['deployments', 'deployments/scale']),
      rule(['', 'batch'], ['v1'], ['pods', 'jobs']),
      rule(['*'], ['v1'], ['services']),
      rule(['example.com'], ['v1'], ['customs']),
    ];
    const warnings = warned({ matchConstraints: { resourceRules } }, 'object.spec.none == 1');
    const kinds = Object.values(warnings)[0]?.match(/^\S+, Kind=\w+/gm);
    expect(kinds).toEqual(['/v1, Kind=Pod', 'apps/v1, Kind=Deployment', 'batch/v1, Kind=Job']);
  });

  test('takes the core group for any group, and at most ten kinds of a rule', () => {
    const all = rule([''], ['v1'], [...new Set(resourceTypes.map(({ resource }) => resource))]);
    const warnings = warned({ matchConstraints: { resourceRules: [all] } }, 'object.none == 1');
    expect(Object.values(warnings)[0]?.match(/, Kind=/g)).toHaveLength(10);
    const resourceRules = [rule([''], ['v1'], ['deployments'])];
    const [warning] = Object.values(warned({ matchConstraints: { resourceRules } }, 'object.none == 1'));
    expect(warning).toMatch(/^apps\/v1, Kind=Deployment: /);
  });

  test('checks long expressions for fewer kinds', () => {
    const resourceRules = [rule([''], ['v1'], ['pods', 'services'])];
    const kinds = (length: number) => {
      const expression = `object.none == '${'a'.repeat(length)}'`;
      const [warning] = Object.values(warned({ matchConstraints: { resourceRules } }, expression));
      return warning?.match(/^\S+, Kind=\w+/gm);
    };
    expect(kinds(100)).toEqual(['/v1, Kind=Pod', '/v1, Kind=Service']);
    expect(kinds(90_000)).toEqual(['/v1, Kind=Pod', '/v1, Kind=Service']);
    const long = Array.from({ length: 3 }, () => ({ expression: `object.none == '${'a'.repeat(90_000)}'` }));
    const [warning] = Object.values(warned({ matchConstraints: { resourceRules }, validations: long }));
    expect(warning?.match(/^\S+, Kind=\w+/gm)).toEqual(['/v1, Kind=Pod']);
  });

  test('gives warnings that fit into the object', () => {
    const long = `object.none == '${'a'.repeat(9000)}' || object.none == 1`;
    const warnings = Object.values(warned({}, ...Array.from({ length: 20 }, () => long)));
    expect(warnings.length).toBeGreaterThan(1);
    expect(warnings.join('').length).toBeLessThan(60_000);
    expect(warnings[0]).toMatch(/…$/);
  });

  test('knows parameters of Kubernetes, and leaves custom ones dynamic', () => {
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const expressions = ["params.data['a'] == 'b'", 'params.spec == 1'];
    expect(Object.keys(warned({ paramKind }, ...expressions))).toEqual(['spec.validations[1].expression']);
    const custom = { apiVersion: 'example.com/v1', kind: 'Custom' };
    expect(warned({ paramKind: custom }, ...expressions)).toEqual({});
  });

  test('knows custom kinds by their schema, and their metadata', () => {
    const replicas = { type: 'integer' };
    const spec = { type: 'object', properties: { replicas, namespace: { type: 'string' } } };
    const schema = { type: 'object', properties: { spec, metadata: { type: 'object' } } };
    const metadata = fields.message('meta.v1.ObjectMeta');
    const warnings = typeWarnings(
      {
        spec: {
          matchConstraints: { resourceRules: [rule(['example.com'], ['v1'], ['customs'])] },
          validations: [
            "object.spec.replicas > 1 && object.spec.namespace == 'a' && object.spec.__namespace__ == 'a'",
            "object.metadata.labels['a'] == 'b' && object.metadata.namespace == 'a' && object.kind == 'Custom'",
            "object.spec.replicas > '1'",
            'object.spec.maxRetries < 10',
            'object.metadata.labels == 1',
          ].map((expression) => ({ expression })),
        },
      },
      { ...source, fieldsOf: ({ kind }) => (kind === 'Custom' ? { schema, metadata } : undefined) },
    );
    expect(warnings.map(({ fieldRef, warning }) => `${fieldRef} ${warning.split('\n')[0]}`)).toEqual([
      "spec.validations[2].expression example.com/v1, Kind=Custom: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(int, string)'",
      "spec.validations[3].expression example.com/v1, Kind=Custom: ERROR: <input>:1:12: undefined field 'maxRetries'",
      "spec.validations[4].expression example.com/v1, Kind=Custom: ERROR: <input>:1:24: found no matching overload for '_==_' applied to '(map(string, string), int)'",
    ]);
  });

  test('knows the types of variables', () => {
    const variables = [
      { name: 'count', expression: 'object.spec.replicas' },
      { name: 'wrong', expression: 'object.spec.none' },
    ];
    const expressions = ['variables.count > 1', "variables.count == 'x'", 'variables.wrong == 1'];
    expect(Object.keys(warned({ variables }, ...expressions))).toEqual(['spec.validations[1].expression']);
  });

  test('checks nothing without rules', () => {
    expect(warned({ matchConstraints: {} }, 'object.none == 1')).toEqual({});
  });

  test('ends for kinds that contain themselves', () => {
    const resourceRules = [rule(['apiextensions.k8s.io'], ['v1'], ['customresourcedefinitions'])];
    const expression = "object.spec.versions.all(v, v.schema.openAPIV3Schema.type == 'object')";
    expect(warned({ matchConstraints: { resourceRules } }, expression)).toEqual({});
  });
});
