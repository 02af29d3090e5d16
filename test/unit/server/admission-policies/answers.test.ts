import { beforeEach, expect, it } from '@jest/globals';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import { apiWithNamespace, BINDINGS, configMap, enforce, POLICIES, pod, policyOf } from './support.ts';

const MAPS = '/api/v1/namespaces/a/configmaps';
const MERGE = 'application/merge-patch+json';
let api: MemoryApi;

beforeEach(async () => {
  api = await apiWithNamespace();
});

it('A policy warns in a header, without control characters', async () => {
  const validations = [{ expression: 'false', messageExpression: '\'tab\\there, "quoted"\'' }];
  await enforce(api, policyOf('p', { resources: ['configmaps'] }, 'true', { validations }), {
    validationActions: ['Warn'],
  });
  const { status, headers } = await api.send('POST', MAPS, configMap('x'));
  expect(status).toBe(201);
  expect(headers.warning).toBe(
    `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': tabhere, \\"quoted\\""`,
  );
});

it('A denial carries the warnings of other policies about the same write', async () => {
  await enforce(api, policyOf('p', { resources: ['configmaps'] }, 'false'), { validationActions: ['Warn'] });
  await enforce(api, policyOf('q', { resources: ['configmaps'] }, 'false'));
  const { status, headers } = await api.send('POST', MAPS, configMap('x'));
  expect([status, headers.warning]).toEqual([422, expect.stringContaining("'p' with binding 'p'")]);
});

it('A policy also warns about an admitted write that fails for another reason', async () => {
  await enforce(api, policyOf('p', { resources: ['pods/exec'] }, 'false'), { validationActions: ['Warn'] });
  await api.ask('POST', '/api/v1/namespaces/a/pods', pod('x'));
  const { status, headers } = await api.send('POST', '/api/v1/namespaces/a/pods/x/exec?command=ls');
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers.warning).toBe(
    `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': failed expression: false"`,
  );
});

it('A policy that was acknowledged decides the next write, also in other processes, and a deleted one does not', async () => {
  await api.ask('POST', MAPS, configMap('x'));
  for (let round = 0; round < 3; round += 1) {
    await enforce(api, policyOf('p', { resources: ['configmaps'] }, 'false'));
    expect((await api.send('DELETE', `${MAPS}/x`)).status).toBe(422);
    await api.ask('DELETE', `${BINDINGS}/p`);
    expect((await api.send('PATCH', `${MAPS}/x`, { data: { round: `${round}` } }, MERGE)).status).toBe(200);
    await api.ask('DELETE', `${POLICIES}/p`);
  }
});
