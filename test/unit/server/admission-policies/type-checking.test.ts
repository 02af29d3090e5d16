import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import { apiWithNamespace, POLICIES } from './support.ts';

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

  it('is left to a controller if the policy matches a kind of clients', async () => {
    const resourceRules = [RESOURCES, { ...RESOURCES, apiGroups: ['example.com'], resources: ['customs'] }];
    const matchConstraints = { resourceRules };
    const created = await api.ask(
      'POST',
      POLICIES,
      policy("object.spec.replicas > '1'", { matchConstraints }),
    );
    expect(created.status).toEqual({});
    const wild = { spec: { matchConstraints: { resourceRules: [{ ...RESOURCES, apiGroups: ['*'] }] } } };
    const changed = await api.ask('PATCH', `${POLICIES}/p`, wild, MERGE);
    expect(changed.status).toEqual({ observedGeneration: 2, typeChecking: {} });
  });
});
