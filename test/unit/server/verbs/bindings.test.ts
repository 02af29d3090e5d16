import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const PODS = '/api/v1/namespaces/default/pods';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const create = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}) =>
  api.ask('POST', PODS, {
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });

const bind = (name: string, node: string, metadata: JsonObject = {}) =>
  api.send('POST', `${PODS}/${name}/binding`, {
    metadata: { name, ...metadata },
    target: { kind: 'Node', name: node },
  });

describe('The binding of a pod', () => {
  it('A binding assigns a pod to a node, for one of two concurrent requests', async () => {
    await create('a');
    const answers = await Promise.all([bind('a', 'n1'), bind('a', 'n2')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const winner = answers[0]?.status === 201 ? 'n1' : 'n2';
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
      `Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "${winner}"`,
    );
    const { spec, status } = await api.ask('GET', `${PODS}/a`);
    expect(objectAt(spec).nodeName).toBe(winner);
    expect(objectAt(status).conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
  });

  it('A binding adds its annotations to those of the pod', async () => {
    await create('a', {}, { annotations: { mine: '1' } });
    await bind('a', 'n1', { annotations: { its: '2' } });
    expect(metadataOf(await api.ask('GET', `${PODS}/a`)).annotations).toEqual({ mine: '1', its: '2' });
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'of a pod behind a gate',
      { schedulingGates: [{ name: 'g' }] },
      {},
      'has non-empty .spec.schedulingGates',
    ],
    ['of another pod of the name', {}, { uid: 'another' }, 'UID in precondition: another'],
    ['of a pod as it was', {}, { resourceVersion: '1' }, 'ResourceVersion in precondition: 1'],
  ])('%s is refused', async (_what, spec, metadata, why) => {
    await create('a', spec);
    const { status, body } = await bind('a', 'n1', metadata);
    expect([status, String(body.message)]).toEqual([409, expect.stringContaining(why)]);
  });

  it('A binding of a terminating pod is refused', async () => {
    await create('a', {}, { finalizers: ['example.com/f'] });
    await api.ask('DELETE', `${PODS}/a`);
    expect((await bind('a', 'n1')).status).toBe(409);
  });

  it('A binding in a dry run is not stored', async () => {
    await create('a');
    const body = { metadata: { name: 'a' }, target: { name: 'n1' } };
    await api.ask('POST', '/api/v1/namespaces/default/bindings?dryRun=All', body);
    expect(objectAt((await api.ask('GET', `${PODS}/a`)).spec).nodeName).toBeUndefined();
  });
});

describe('A request that only a node could answer', () => {
  it.each<[string, string, number, string]>([
    ['GET', 'log', 400, 'Winnow has no kubelet'],
    ['GET', 'log?container=x', 400, 'container x is not valid for pod a'],
    ['POST', 'exec?command=ls', 400, 'Winnow has no kubelet'],
    ['GET', 'attach', 400, 'Winnow has no kubelet'],
    ['POST', 'portforward', 400, 'Winnow has no kubelet'],
    ['GET', 'proxy/metrics', 400, 'Winnow has no network'],
  ])('%s %s says so', async (method, path, code, why) => {
    await api.ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
    await create('a', { nodeName: 'n1' });
    const { status, body } = await api.send(method, `${PODS}/a/${path}`);
    expect([status, String(body.message)]).toEqual([code, expect.stringContaining(why)]);
  });

  it('The error names the missing node', async () => {
    await create('a', { nodeName: 'n9' });
    const { status, body } = await api.send('GET', `${PODS}/a/log`);
    expect([status, body.message]).toEqual([404, 'nodes "n9" not found']);
  });

  it('The error asks for a container name', async () => {
    await create('a', {
      containers: [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ],
    });
    const { body } = await api.send('GET', `${PODS}/a/log`);
    expect(body.message).toBe('a container name must be specified for pod a, choose one of: [c d]');
  });

  it('A proxy to a service or a node is refused', async () => {
    await api.ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
    expect((await api.send('GET', '/api/v1/nodes/n1/proxy/healthz')).status).toBe(400);
    expect((await api.send('GET', '/api/v1/namespaces/default/services/http:web:80/proxy/')).status).toBe(
      404,
    );
  });
});
