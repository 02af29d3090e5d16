import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import {
  apiWithNamespace,
  applied,
  configMap,
  enforce,
  jsonPatch,
  MUTATING_BINDINGS,
  MUTATING_POLICIES,
  mutate,
  mutatingOf,
  pod,
  policyOf,
} from './support.ts';

const MAPS = '/api/v1/namespaces/a/configmaps';
const PODS = '/api/v1/namespaces/a/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/a/deployments';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const ON_MAPS = { resources: ['configmaps'] };
const TEAM = applied('Object{metadata: Object.metadata{labels: {"team": "red"}}}');
let api: MemoryApi;

beforeEach(async () => {
  api = await apiWithNamespace();
});

const labelsOf = (object: JsonObject) => metadataOf(object).labels;

describe('a mutating policy changes', () => {
  it('a new object, one that is updated, patched or applied, and a PUT that creates one', async () => {
    await mutate(api, mutatingOf('team', { resources: ['configmaps', 'leases'], groups: ['*'] }, [TEAM]));
    const made = await api.ask('POST', MAPS, configMap('x', { k: 'v' }));
    expect([labelsOf(made), made.data]).toEqual([{ team: 'red' }, { k: 'v' }]);
    const put = await api.ask('PUT', `${MAPS}/x`, configMap('x', { k: 'w' }));
    expect([labelsOf(put), put.data]).toEqual([{ team: 'red' }, { k: 'w' }]);
    const patched = await api.ask('PATCH', `${MAPS}/x`, { metadata: { labels: { team: 'blue' } } }, MERGE);
    expect(labelsOf(patched)).toEqual({ team: 'red' });
    const body = configMap('y', { k: 'v' });
    expect(labelsOf(await api.ask('PATCH', `${MAPS}/y?fieldManager=m`, body, APPLY))).toEqual({
      team: 'red',
    });
    const lease = { metadata: { name: 'l' }, spec: {} };
    const path = '/apis/coordination.k8s.io/v1/namespaces/a/leases/l';
    expect(labelsOf(await api.ask('PUT', path, lease))).toEqual({ team: 'red' });
  });

  it('nothing in a delete, and nothing of policies, bindings and reviews', async () => {
    await mutate(api, mutatingOf('all', { resources: ['*/*'], groups: ['*'] }, [TEAM]));
    await api.ask('POST', MAPS, configMap('x'));
    expect((await api.send('DELETE', `${MAPS}/x`)).status).toBe(200);
    expect(labelsOf(await api.ask('GET', `${MUTATING_BINDINGS}/all`))).toBeUndefined();
    await mutate(api, mutatingOf('other', ON_MAPS, [TEAM]));
    expect(labelsOf(await api.ask('GET', `${MUTATING_POLICIES}/other`))).toBeUndefined();
  });

  it('nothing if the object is as it would make it: no write happens', async () => {
    await mutate(api, mutatingOf('team', ON_MAPS, [TEAM]));
    const made = await api.ask('POST', MAPS, configMap('x', { k: 'v' }));
    const again = await api.ask('PUT', `${MAPS}/x`, configMap('x', { k: 'v' }));
    expect(metadataOf(again).resourceVersion).toBe(metadataOf(made).resourceVersion);
  });

  it('an object before defaults, validation and validating policies see it', async () => {
    await mutate(
      api,
      mutatingOf('sidecar', { resources: ['pods'], operations: ['CREATE'] }, [
        applied(
          'Object{spec: Object.spec{containers: [Object.spec.containers{name: "side", image: "proxy:1"}]}}',
        ),
      ]),
    );
    await enforce(api, policyOf('two', { resources: ['pods'] }, 'object.spec.containers.size() == 2'));
    const made = await api.ask('POST', PODS, pod('p'));
    expect(objectAt(made.spec).containers).toMatchObject([
      { name: 'main', imagePullPolicy: 'Always' },
      { name: 'side', image: 'proxy:1', imagePullPolicy: 'IfNotPresent' },
    ]);
    await mutate(
      api,
      mutatingOf('wrong', { resources: ['pods'] }, [
        applied('Object{spec: Object.spec{restartPolicy: "Sometimes"}}'),
      ]),
    );
    const refused = await api.send('POST', PODS, pod('q'));
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('spec.restartPolicy: Unsupported value: "Sometimes"'),
    ]);
  });

  it('what the mutations before it changed, and policies apply in the order of their names', async () => {
    const append = (text: string) =>
      applied(`Object{data: {"log": object.?data[?"log"].orValue("") + "${text}"}}`);
    await mutate(api, mutatingOf('b', ON_MAPS, [append('3')]));
    await mutate(api, mutatingOf('a', ON_MAPS, [append('1'), append('2')]));
    expect((await api.ask('POST', MAPS, configMap('x'))).data).toEqual({ log: '123' });
  });

  it('by JSON patches, which a failed test leaves out as a whole', async () => {
    await mutate(
      api,
      mutatingOf('patch', ON_MAPS, [
        jsonPatch(
          '[JSONPatch{op: "test", path: "/data/k", value: "v"}, JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("x.y"), value: "z"}]',
        ),
      ]),
    );
    expect((await api.ask('POST', MAPS, configMap('x', { k: 'v' }))).data).toEqual({ k: 'v', 'x.y': 'z' });
    expect((await api.ask('POST', MAPS, configMap('y', { k: 'w' }))).data).toEqual({ k: 'w' });
  });

  it('by parameters, variables and conditions', async () => {
    const params = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
    await api.ask('POST', MAPS, configMap('limits', { team: 'blue' }));
    await mutate(
      api,
      mutatingOf(
        'named',
        { resources: ['pods'] },
        [applied('Object{metadata: Object.metadata{labels: {"team": variables.team}}}')],
        {
          ...params,
          variables: [{ name: 'team', expression: 'params.data.team' }],
          matchConditions: [{ name: 'web', expression: 'object.metadata.name.startsWith("web")' }],
        },
      ),
      { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    );
    expect(labelsOf(await api.ask('POST', PODS, pod('web')))).toEqual({ team: 'blue' });
    expect(labelsOf(await api.ask('POST', PODS, pod('other')))).toBeUndefined();
    await api.ask('DELETE', `${MAPS}/limits`);
    const refused = await api.send('POST', PODS, pod('web-2'));
    expect([refused.status, refused.body.reason, refused.body.message]).toEqual([
      403,
      'Forbidden',
      "policy 'named' with binding 'named' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    ]);
  });

  it('objects of custom kinds by their schema, and keeps unknown fields out', async () => {
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            parts: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
              items: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' }, size: { type: 'integer', default: 1 } },
              },
            },
          },
        },
      },
    };
    await api.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: 'things' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
    await mutate(
      api,
      mutatingOf('parts', { resources: ['things'], groups: ['example.org'] }, [
        applied('Object{spec: Object.spec{parts: [Object.spec.parts{name: "b"}]}}'),
      ]),
    );
    const thing = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 't' } };
    const made = await api.ask('POST', '/apis/example.org/v1/namespaces/a/things', {
      ...thing,
      spec: { parts: [{ name: 'a', size: 2 }] },
    });
    expect(made.spec).toEqual({
      parts: [
        { name: 'a', size: 2 },
        { name: 'b', size: 1 },
      ],
    });
  });

  it('the object in the version that the policy names, and stores it in that of the request', async () => {
    await mutate(
      api,
      mutatingOf(
        'hpa',
        { resources: ['horizontalpodautoscalers'], groups: ['autoscaling'], versions: ['v2'] },
        [applied('Object{spec: Object.spec{maxReplicas: 7}}')],
      ),
    );
    const made = await api.ask('POST', '/apis/autoscaling/v1/namespaces/a/horizontalpodautoscalers', {
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    });
    expect([made.apiVersion, objectAt(made.spec).maxReplicas]).toEqual(['autoscaling/v1', 7]);
  });
});

describe('a mutating policy of scales', () => {
  const scale = `${DEPLOYMENTS}/d/scale`;
  const cap = (name: string, mutation: JsonObject) =>
    mutate(api, mutatingOf(name, { resources: ['deployments/scale'], groups: ['apps'] }, [mutation]));
  const replicasOf = async () => objectAt((await api.ask('GET', `${DEPLOYMENTS}/d`)).spec).replicas;
  const scaled = (replicas: number) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'd', namespace: 'a' },
    spec: { replicas },
  });

  beforeEach(async () => {
    await api.ask('POST', DEPLOYMENTS, {
      metadata: { name: 'd' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
  });

  it.each([
    ['PUT', scale, 'application/json'],
    ['PATCH', scale, MERGE],
    ['PATCH', `${scale}?fieldManager=m&force=true`, APPLY],
  ])('changes the number of replicas that a client asks for: %s %s', async (method, path, type) => {
    await cap(
      'cap',
      applied('Object{spec: Object.spec{replicas: object.spec.replicas > 3 ? 3 : object.spec.replicas}}'),
    );
    expect(objectAt((await api.ask(method, path, scaled(7), type)).spec).replicas).toBe(3);
    expect(await replicasOf()).toBe(3);
    await api.ask(method, path, scaled(2), type);
    expect(await replicasOf()).toBe(2);
  });

  it('is refused with the errors of scales: unknown fields, and negative numbers', async () => {
    await cap('cap', jsonPatch('[JSONPatch{op: "replace", path: "/spec/replicas", value: -1}]'));
    const negative = await api.send('PUT', scale, scaled(2));
    expect([negative.status, negative.body.message]).toEqual([
      422,
      expect.stringContaining('spec.replicas: Invalid value: -1: must be greater than or equal to 0'),
    ]);
    await api.ask('DELETE', `${MUTATING_BINDINGS}/cap`);
    await cap('other', jsonPatch('[JSONPatch{op: "add", path: "/spec/nothing", value: 1}]'));
    const unknown = await api.send('PUT', scale, scaled(2));
    expect([unknown.status, unknown.body.message]).toEqual([
      500,
      'Internal error occurred: strict decoding error: unknown field "spec.nothing"',
    ]);
    expect(await replicasOf()).toBe(1);
  });
});

describe('a mutating policy that fails', () => {
  const fail = (expression: string, more: JsonObject = {}) =>
    mutate(
      api,
      mutatingOf('p', { resources: ['deployments'], groups: ['apps'] }, [applied(expression)], more),
    );
  const deployment = (): JsonObject => ({
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const refusal = async () => {
    const { status, body } = await api.send('POST', DEPLOYMENTS, deployment());
    return [
      status,
      body.reason,
      String(body.message).replace(/^policy 'p' with binding 'p' denied request: /, ''),
    ];
  };

  it.each([
    [
      'Object{spec: Object.spec{selector: {"matchLabels": {"a": "b"}}}}',
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector',
    ],
    [
      'Object{spec: Object.spec{nothing: 1}}',
      'error applying patch: failed to convert patch object to typed object: .spec.nothing: field not declared in schema',
    ],
    [
      'Object{spec: Object.spec{template: Object.spec.wrong{}}}',
      'type mismatch: unexpected type name "Object.spec.wrong", expected "Object.spec.template", which matches field name path from root Object type',
    ],
    [
      'Object{spec: Object.spec{replicas: object.missing}}',
      "expression 'Object{spec: Object.spec{replicas: object.missing}}' resulted in error: no such key: missing",
    ],
  ])('denies the write, in the words of Kubernetes: %s', async (expression, message) => {
    await fail(expression);
    expect(await refusal()).toEqual([403, 'Invalid', message]);
  });

  it('lets the write pass with `failurePolicy: Ignore`, and keeps its other mutations', async () => {
    const more = { failurePolicy: 'Ignore' };
    const mutations = [applied('Object{spec: Object.spec{replicas: object.missing}}'), TEAM];
    await mutate(api, mutatingOf('p', { resources: ['deployments'], groups: ['apps'] }, mutations, more));
    const made = await api.ask('POST', DEPLOYMENTS, deployment());
    expect([labelsOf(made), objectAt(made.spec).replicas]).toEqual([{ team: 'red' }, 1]);
  });

  it('names all failures as causes', async () => {
    const mutations = [applied('Object{x: object.one}'), applied('Object{x: object.two}')];
    await mutate(api, mutatingOf('p', { resources: ['deployments'], groups: ['apps'] }, mutations));
    const { body } = await api.send('POST', DEPLOYMENTS, deployment());
    expect(body.details).toMatchObject({
      name: 'd',
      group: 'apps',
      kind: 'deployments',
      causes: [
        { message: expect.stringContaining('no such key: one') },
        { message: expect.stringContaining('no such key: two') },
      ],
    });
  });

  it('ends the write with 500 if a JSON patch adds a field that the kind does not have', async () => {
    const add = jsonPatch('[JSONPatch{op: "add", path: "/spec/nothing", value: 1}]');
    await mutate(
      api,
      mutatingOf('p', { resources: ['deployments'], groups: ['apps'] }, [add], { failurePolicy: 'Ignore' }),
    );
    expect(await refusal()).toEqual([
      500,
      'InternalError',
      'Internal error occurred: strict decoding error: unknown field "spec.nothing"',
    ]);
  });

  it('cannot rename an existing object', async () => {
    await api.ask('POST', MAPS, configMap('x'));
    await mutate(
      api,
      mutatingOf('p', { resources: ['configmaps'] }, [
        applied('Object{metadata: Object.metadata{name: "y"}}'),
      ]),
    );
    const refused = await api.send('PUT', `${MAPS}/x`, configMap('x', { k: 'v' }));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('the name of the object (y) does not match the name on the URL (x)'),
    ]);
  });
});

describe('reinvocation', () => {
  const append = (text: string) =>
    applied(`Object{data: {"log": object.?data[?"log"].orValue("") + "${text}"}}`);

  it('applies policies with IfNeeded once more after others have changed the object, and those with Never once', async () => {
    await mutate(api, mutatingOf('a', ON_MAPS, [append('a')], { reinvocationPolicy: 'IfNeeded' }));
    await mutate(api, mutatingOf('b', ON_MAPS, [append('b')]));
    expect((await api.ask('POST', MAPS, configMap('x'))).data).toEqual({ log: 'aba' });
  });

  it('matches the changed object', async () => {
    const objectSelector = { matchLabels: { team: 'red' } };
    await mutate(api, mutatingOf('a', ON_MAPS, [append('a')], { reinvocationPolicy: 'IfNeeded' }), {
      matchResources: { objectSelector },
    });
    await mutate(api, mutatingOf('b', ON_MAPS, [TEAM]));
    expect((await api.ask('POST', MAPS, configMap('x'))).data ?? {}).toEqual({});
    const red = await api.ask('POST', MAPS, configMap('y', {}, { labels: { team: 'red' } }));
    expect(red.data).toEqual({ log: 'aa' });
  });
});

describe('a mutating policy counts', () => {
  it('from the acknowledgement of its binding to its deletion, and sets fields without an owner in a create', async () => {
    await api.ask('POST', MUTATING_POLICIES, mutatingOf('team', ON_MAPS, [TEAM]));
    expect(labelsOf(await api.ask('POST', MAPS, configMap('before')))).toBeUndefined();
    await api.ask('POST', MUTATING_BINDINGS, { metadata: { name: 'b' }, spec: { policyName: 'team' } });
    const made = await api.ask('POST', `${MAPS}?fieldManager=m`, configMap('x', { k: 'v' }));
    expect(labelsOf(made)).toEqual({ team: 'red' });
    expect(JSON.stringify(metadataOf(made).managedFields)).not.toContain('f:team');
    await api.ask('DELETE', `${MUTATING_BINDINGS}/b`);
    expect(labelsOf(await api.ask('POST', MAPS, configMap('after')))).toBeUndefined();
  });
});
