import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt, objectsIn } from '../../../../lib/json/index.ts';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import { apiWithNamespace, POLICIES } from './support.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = 'application/merge-patch+json';
const RESOURCES = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] };
const WARNING = {
  fieldRef: 'spec.validations[0].expression',
  warning: expect.stringMatching(
    /^apps\/v1, Kind=Deployment: ERROR: .* found no matching overload for '_>_' applied to '\(int, string\)'/,
  ),
};

let api: MemoryApi;

beforeEach(async () => {
  api = await apiWithNamespace();
});

function policy(expression: string, spec: JsonObject = {}): JsonObject {
  const matchConstraints = { resourceRules: [RESOURCES] };
  return { metadata: { name: 'p' }, spec: { matchConstraints, validations: [{ expression }], ...spec } };
}

describe('The status of a policy', () => {
  it('tells which expressions do not fit the matched types, with the write of the policy', async () => {
    const created = await api.ask('POST', POLICIES, policy("object.spec.replicas > '1'"));
    expect(created.status).toEqual({
      observedGeneration: 1,
      typeChecking: { expressionWarnings: [WARNING] },
    });
    const fixed = { spec: { validations: [{ expression: 'object.spec.replicas > 1' }] } };
    const changed = await api.ask('PATCH', `${POLICIES}/p`, fixed, MERGE);
    expect(metadataOf(changed).generation).toBe(2);
    expect(changed.status).toEqual({ observedGeneration: 2, typeChecking: {} });
  });

  it('stays as it is while the expressions stay, and is what a client writes to it', async () => {
    await api.ask('POST', POLICIES, policy("object.spec.replicas > '1'"));
    const label = { metadata: { labels: { a: 'b' } } };
    const labelled = await api.ask('PATCH', `${POLICIES}/p`, label, MERGE);
    expect(labelled.status).toEqual({
      observedGeneration: 1,
      typeChecking: { expressionWarnings: [WARNING] },
    });
    const status = { status: { typeChecking: { expressionWarnings: [] } } };
    const written = await api.ask('PATCH', `${POLICIES}/p/status`, status, MERGE);
    expect(objectAt(written.status).observedGeneration).toBe(1);
    expect(objectAt(written.status).typeChecking).toEqual({});
  });

  it('belongs to no client that wrote the policy', async () => {
    await api.ask('POST', `${POLICIES}?fieldManager=a`, policy('true'));
    const changed = await api.ask(
      'PATCH',
      `${POLICIES}/p?fieldManager=b`,
      { spec: { failurePolicy: 'Ignore' } },
      MERGE,
    );
    expect(JSON.stringify(metadataOf(changed).managedFields)).not.toContain('f:status');
  });

  it('checks kinds of clients by the schemas of their definitions, also as parameters', async () => {
    await api.ask('POST', DEFINITIONS, definition('customs', 'Custom'));
    await api.ask('POST', DEFINITIONS, definition('limits', 'Limit'));
    const rule = { ...RESOURCES, apiGroups: ['example.com'], resources: ['customs'] };
    const created = await api.ask(
      'POST',
      POLICIES,
      policy('true', {
        matchConstraints: { resourceRules: [rule] },
        paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
        validations: [
          { expression: "object.spec.retries > '1'" },
          { expression: "object.metadata.labels['a'] == 'b' && object.spec.retries < params.spec.retries" },
          { expression: 'object.spec.missing == 1', messageExpression: "'at most ' + params.spec.retries" },
        ],
      }),
    );
    expect(objectAt(created.status).observedGeneration).toBe(1);
    expect(warningsIn(created)).toEqual([
      ['spec.validations[0].expression', expect.stringContaining("'_>_' applied to '(int, string)'")],
      ['spec.validations[2].expression', expect.stringContaining("undefined field 'missing'")],
      ['spec.validations[2].messageExpression', expect.stringContaining("'_+_' applied to '(string, int)'")],
    ]);
  });

  it('checks parameters of a kind of clients also where the matched kinds are built in', async () => {
    await api.ask('POST', DEFINITIONS, definition('limits', 'Limit'));
    const paramKind = { apiVersion: 'example.com/v1', kind: 'Limit' };
    const created = await api.ask('POST', POLICIES, policy("params.spec.retries > '1'", { paramKind }));
    expect(warningsIn(created)).toEqual([
      ['spec.validations[0].expression', expect.stringContaining("'_>_' applied to '(int, string)'")],
    ]);
  });

  it('checks a kind that is not served yet with the next change of the policy', async () => {
    const rule = { ...RESOURCES, apiGroups: ['example.com'], resources: ['customs'] };
    const matchConstraints = { resourceRules: [RESOURCES, rule] };
    const created = await api.ask('POST', POLICIES, policy('object.spec.retries > 1', { matchConstraints }));
    expect(warningsIn(created)).toEqual([
      ['spec.validations[0].expression', expect.stringContaining("undefined field 'retries'")],
    ]);
    await api.ask('POST', DEFINITIONS, definition('customs', 'Custom'));
    const only = { spec: { matchConstraints: { resourceRules: [rule] } } };
    const changed = await api.ask('PATCH', `${POLICIES}/p`, only, MERGE);
    expect(changed.status).toEqual({ observedGeneration: 2, typeChecking: {} });
  });

  it('has no warnings about kinds that a policy names with wildcards', async () => {
    const matchConstraints = { resourceRules: [{ ...RESOURCES, apiGroups: ['*'] }] };
    const created = await api.ask(
      'POST',
      POLICIES,
      policy("object.spec.replicas > '1'", { matchConstraints }),
    );
    expect(created.status).toEqual({ observedGeneration: 1, typeChecking: {} });
  });
});

const warningsIn = ({ status }: JsonObject) =>
  objectsIn(objectAt(objectAt(status).typeChecking).expressionWarnings).map(({ fieldRef, warning }) => [
    fieldRef,
    warning,
  ]);

function definition(plural: string, kind: string): JsonObject {
  const spec = { type: 'object', properties: { retries: { type: 'integer' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
