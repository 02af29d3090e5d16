import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { createInProcessApi } from '../../../golden/in-process-api.ts';
import { ADMIN } from '../../../support/service/admin.ts';

type Json = ReturnType<typeof JSON.parse>;

async function client() {
  const api = await createInProcessApi();
  return async (
    method: string,
    path: string,
    body?: JsonObject,
    contentType = 'application/json',
  ): Promise<Json> => {
    const [before = '', query = ''] = path.split('?');
    const headers = { 'content-type': contentType, 'user-agent': 'test' };
    const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
    const request = {
      method,
      path: before,
      query: new URLSearchParams(query),
      headers,
      user: ADMIN,
      ...sent,
    };
    return JSON.parse((await api.answer(request)).text);
  };
}

const TWO = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const ONE = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';

describe('A HorizontalPodAutoscaler that is created in version 2', () => {
  const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
  const external = {
    type: 'External',
    external: { metric: { name: 'm' }, target: { type: 'Value', value: '5' } },
  };
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
  };
  const spec = {
    scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
    maxReplicas: 3,
    metrics: [cpu, external],
    behavior,
  };
  const made = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec,
  };

  it('An update in version 1 keeps the fields that version 1 does not have', async () => {
    const send = await client();
    const created = await send('POST', `${TWO}?fieldManager=two`, made);
    const seen = await send('GET', `${ONE}/web`);
    expect(seen).toMatchObject({
      apiVersion: 'autoscaling/v1',
      spec: { targetCPUUtilizationPercentage: 50 },
    });
    const changed = { ...seen, spec: { ...seen.spec, maxReplicas: 9 } };
    const answer = await send('PUT', `${ONE}/web?fieldManager=one`, changed);
    expect(answer).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { maxReplicas: 9 } });
    const after = await send('GET', `${TWO}/web`);
    expect(after.metadata.annotations).toBeUndefined();
    expect(after.spec).toEqual({ ...created.spec, maxReplicas: 9, metrics: [external, cpu] });
    const owners = after.metadata.managedFields.map(({ manager, apiVersion, fieldsV1 }: Json) => ({
      [manager]: `${apiVersion} ${Object.keys(fieldsV1['f:spec'])}`,
    }));
    expect(owners).toEqual([
      { one: 'autoscaling/v1 f:maxReplicas' },
      { two: 'autoscaling/v2 f:behavior,f:metrics,f:minReplicas,f:scaleTargetRef' },
    ]);
  });

  it('The object is one object in each list and for each delete', async () => {
    const send = await client();
    await send('POST', TWO, made);
    expect((await send('GET', ONE)).items).toHaveLength(1);
    await send('DELETE', `${ONE}/web`);
    expect((await send('GET', TWO)).items).toHaveLength(0);
  });

  it('Errors about preserved fields are reported in the version of the request', async () => {
    const one = {
      ...made,
      apiVersion: 'autoscaling/v1',
      spec: { ...spec, metrics: undefined, maxReplicas: 0 },
    };
    const { message } = await (await client())('POST', ONE, JSON.parse(JSON.stringify(one)));
    expect(message).toContain('spec.maxReplicas: Invalid value: 0: must be greater than 0');
  });
});

it('An event recorder counts a series through events.k8s.io, and the core group shows it', async () => {
  const send = await client();
  const events = '/apis/events.k8s.io/v1/namespaces/default/events';
  await send('POST', events, {
    metadata: { name: 'e' },
    eventTime: '2024-01-01T00:00:00.000001Z',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
  });
  const series = { count: 2, lastObservedTime: '2024-01-01T00:00:09.000000Z' };
  const type = 'application/strategic-merge-patch+json';
  expect(await send('PATCH', `${events}/e`, { series }, type)).toMatchObject({ series });
  expect(await send('GET', '/api/v1/namespaces/default/events/e')).toMatchObject({
    apiVersion: 'v1',
    series,
    reportingComponent: 'example.com/c',
    involvedObject: { name: 'p' },
  });
  const byField = await send('GET', `${events}?fieldSelector=regarding.name%3Dp`);
  expect(byField).toMatchObject({
    kind: 'EventList',
    apiVersion: 'events.k8s.io/v1',
    items: [{ reason: 'R' }],
  });
  const later = await send('PATCH', `${events}/e`, { reason: 'other' }, type);
  expect(later.message).toContain('reason: Invalid value: "other": field is immutable');
});
