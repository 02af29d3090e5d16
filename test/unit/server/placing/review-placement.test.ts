import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import {
  type ApiOptions,
  createPlacingVerbs,
  readingVerbs,
  writingVerbs,
} from '../../../../lib/server/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const REVIEWS = '/apis/winnow.dev/v1/placementreviews';

/** One API with the verbs of every function, as the gateway's routes combine them. */
function everyVerb(): ApiOptions['verbs'] {
  const { create } = createPlacingVerbs({ logger: silentLogger });
  return {
    ...readingVerbs,
    ...writingVerbs,
    create: (call) =>
      (call.route.type.kind === 'PlacementReview' ? create : writingVerbs.create)?.(call) ?? Promise.reject(),
  };
}

let api: MemoryApi;
beforeEach(async () => {
  api = await createMemoryApi(1, everyVerb());
});

async function addNode(name: string, labels: Record<string, string> = {}, spec: JsonObject = {}) {
  const status = {
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  const node = await api.ask('POST', '/api/v1/nodes', { metadata: { name, labels }, spec, status });
  await api.ask('PUT', `/api/v1/nodes/${name}/status`, node);
}

const reviewed = (spec: JsonObject, query = '') => api.ask('POST', REVIEWS + query, { spec });
const statusOf = async (spec: JsonObject) => (await reviewed(spec)).status as JsonObject;
const refusal = (spec: JsonObject, query = '') => api.send('POST', REVIEWS + query, { spec });

describe('The kind PlacementReview', () => {
  it('A PlacementReview ranks the nodes that a pod may run on, and gives reasons for the others', async () => {
    await addNode('a', { disktype: 'ssd' });
    await addNode('b', { disktype: 'hdd' });
    await addNode('c', { disktype: 'ssd' }, { taints: [{ key: 'own', effect: 'NoSchedule' }] });
    const pod = { metadata: { name: 'nginx' }, spec: { ...podSpec(), nodeSelector: { disktype: 'ssd' } } };
    const answer = await reviewed({ pod });
    expect(answer).toMatchObject({
      kind: 'PlacementReview',
      apiVersion: 'winnow.dev/v1',
      metadata: { creationTimestamp: null },
      spec: { pod },
      status: {
        assigned: ['a'],
        feasible: [
          { node: 'a', score: expect.any(Number), scores: { NodeResourcesFit: expect.any(Number) } },
        ],
        refused: [
          { node: 'b', rule: 'NodeAffinity', reasons: ["node(s) didn't match Pod's node affinity/selector"] },
          { node: 'c', rule: 'TaintToleration', reasons: ['node(s) had untolerated taint {own: }'] },
        ],
      },
    });
    expect((answer.status as JsonObject).message).toBeUndefined();
    expect((await api.ask('GET', '/api/v1/pods')).items).toEqual([]);
  });

  it("A PlacementReview has the scheduler's message if no node fits", async () => {
    expect(await statusOf({ pod: { spec: podSpec() } })).toMatchObject({
      assigned: [],
      feasible: [],
      message: 'no nodes available to schedule pods',
    });
    await addNode('a');
    const pod = { spec: { ...podSpec(), nodeSelector: { disktype: 'ssd' } } };
    expect((await statusOf({ pod })).message).toBe(
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    );
  });

  it('A PlacementReview puts equal nodes in the same order each time, and in another order for another pod', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await addNode(name);
    const orderOf = async (name: string) => {
      const { feasible } = await statusOf({ pod: { metadata: { name }, spec: podSpec() } });
      return (feasible as { node: string }[]).map(({ node }) => node).join('');
    };
    expect(await orderOf('x')).toBe(await orderOf('x'));
    const orders: string[] = [];
    for (const name of ['x', 'y', 'z', 'u']) orders.push(await orderOf(name));
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  it('A PlacementReview includes all earlier writes and deletions', async () => {
    const pod = { metadata: { name: 'x', namespace: 'default' }, spec: { ...podSpec(), nodeName: 'a' } };
    const port = [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 80 }] }];
    await addNode('a');
    const asked = { template: { spec: { containers: port } } };
    expect((await statusOf(asked)).assigned).toEqual(['a']);
    await api.ask('POST', '/api/v1/namespaces/default/pods', {
      ...pod,
      spec: { ...pod.spec, containers: port },
    });
    expect((await statusOf(asked)).refused).toMatchObject([{ node: 'a', rule: 'NodePorts' }]);
    await api.ask('DELETE', '/api/v1/namespaces/default/pods/x?gracePeriodSeconds=0');
    expect((await statusOf(asked)).assigned).toEqual(['a']);
    await addNode('b');
    expect((await statusOf(asked)).feasible).toHaveLength(2);
    await api.ask('DELETE', '/api/v1/nodes/a');
    expect((await statusOf(asked)).assigned).toEqual(['b']);
  });

  it('A PlacementReview places several pods, each after the previous ones, and stores nothing', async () => {
    for (const name of ['a', 'b', 'c']) await addNode(name, { 'kubernetes.io/hostname': name });
    const labels = { app: 'store' };
    const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const spec = { ...podSpec(), affinity: { podAntiAffinity: required } };
    const asked = { template: { metadata: { labels }, spec }, count: 4 };
    for (let time = 0; time < 2; time += 1) {
      const { assigned, feasible, message } = await statusOf(asked);
      expect([...(assigned as string[])].sort()).toEqual(['a', 'b', 'c']);
      expect(feasible).toHaveLength(3);
      expect(message).toBe("0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.");
    }
  });

  it('A PlacementReview uses the pod as it would be stored: with defaults, limits and the priority of its class', async () => {
    await addNode('a');
    const limits = [{ type: 'Container', defaultRequest: { cpu: '5' } }];
    const namespace = { metadata: { name: 'small' } };
    await api.ask('POST', '/api/v1/namespaces', namespace);
    await api.ask('POST', '/api/v1/namespaces/small/limitranges', {
      metadata: { name: 'l' },
      spec: { limits },
    });
    const pod = { metadata: { name: 'x', namespace: 'small' }, spec: podSpec() };
    expect((await statusOf({ pod })).message).toBe('0/1 nodes are available: 1 Insufficient cpu.');
    const classed = { spec: { ...podSpec(), priorityClassName: 'nobodys' } };
    expect(await refusal({ pod: classed })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('no PriorityClass with name nobodys was found') },
    });
  });

  it.each([
    ['a Deployment', { apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: { spec: podSpec() } } }],
    [
      'a Pod',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'x', uid: 'u' },
        spec: podSpec(),
        status: { phase: 'Running' },
      },
    ],
    [
      'a CronJob',
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        spec: { jobTemplate: { spec: { template: { spec: { ...podSpec(), restartPolicy: 'Never' } } } } },
      },
    ],
  ])('A PlacementReview accepts %s', async (_what, object) => {
    await addNode('a');
    expect((await statusOf({ object })).assigned).toEqual(['a']);
  });

  it('A PlacementReview accepts an object of a kind whose definition names its template', async () => {
    await addNode('a');
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const definition = (path: string) => ({
      metadata: { name: 'tasks.fleet.example', annotations: { 'winnow.dev/pod-template': path } },
      spec: {
        group: 'fleet.example',
        scope: 'Namespaced',
        names: { kind: 'Task', plural: 'tasks' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const object = { apiVersion: 'fleet.example/v1', kind: 'Task', spec: { runs: { spec: podSpec() } } };
    expect((await refusal({ object })).body.message).toContain('spec.object.kind: Invalid value: "Task"');
    await api.ask('POST', definitions, definition('.spec.runs'));
    expect((await statusOf({ object })).assigned).toEqual(['a']);
    expect((await refusal({ object: { ...object, spec: {} } })).body.message).toContain(
      'spec.object.spec.runs: Required value',
    );
    const annotations = { 'winnow.dev/pod-template': 'runs' };
    const patch = { metadata: { annotations } };
    await api.ask('PATCH', `${definitions}/tasks.fleet.example`, patch, 'application/merge-patch+json');
    expect((await refusal({ object })).body.message).toContain('it must be a path such as .spec.template');
  });
});

describe('The refusal of a PlacementReview', () => {
  it.each<[string, JsonObject, string]>([
    ['nothing', {}, 'spec: Required value: exactly one of pod, template and object'],
    [
      'two things at once',
      { pod: {}, template: {} },
      'spec.template: Forbidden: may not be set together with pod',
    ],
    ['no pods', { pod: { spec: podSpec() }, count: 0 }, 'spec.count: Invalid value: 0: must be an integer'],
    ['a text for a pod', { pod: 'nginx' }, 'spec.pod: Invalid value: "nginx": must be an object'],
    ['a pod without containers', { pod: { spec: {} } }, 'spec.pod.spec.containers: Required value'],
    [
      'a template within an object that is not valid',
      {
        object: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          spec: { template: { spec: { ...podSpec(), hostNetwork: true, nodeSelector: { 'a b': 'c' } } } },
        },
      },
      'spec.object.spec.template.spec.nodeSelector: Invalid value: "a b"',
    ],
    [
      'a kind that has no pods',
      { object: { apiVersion: 'v1', kind: 'ConfigMap' } },
      'spec.object.kind: Invalid value: "ConfigMap"',
    ],
  ])('with %s', async (_what, spec, message) => {
    const { status, body } = await refusal(spec);
    expect(body.message).toContain(message);
    expect({ status, reason: body.reason }).toEqual({ status: 422, reason: 'Invalid' });
    const [cause] = (body.details as { causes: { field: string }[] }).causes;
    expect(message.startsWith(`${cause?.field}:`)).toBe(true);
  });

  it('A value of another type is refused', async () => {
    const { status, body } = await refusal({ pod: { spec: { ...podSpec(), nodeName: 7 } } });
    expect(status).toBe(400);
    expect(body.message).toContain('spec.pod: json: cannot unmarshal number into Go struct field');
  });

  it('An unknown field is refused, if the request is strict', async () => {
    await addNode('a');
    const spec = { pod: { spec: { ...podSpec(), nodeSelektor: {} } }, cuont: 2 };
    const { headers } = await refusal(spec);
    expect(headers.warning).toBe(
      '299 - "unknown field \\"spec.cuont\\"", 299 - "unknown field \\"spec.pod.spec.nodeSelektor\\""',
    );
    const strict = await refusal(spec, '?fieldValidation=Strict');
    expect(strict.status).toBe(400);
    expect(strict.body.message).toContain('unknown field "spec.pod.spec.nodeSelektor"');
  });

  it('A request to another function is refused', async () => {
    const other = await createMemoryApi();
    expect((await other.send('POST', REVIEWS, { spec: {} })).status).toBe(405);
  });
});
