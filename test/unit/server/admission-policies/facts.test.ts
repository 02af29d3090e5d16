import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import { apiWithNamespace, configMap, enforce, policyOf } from './support.ts';

const MAPS = '/api/v1/namespaces/a/configmaps';
const MERGE = 'application/merge-patch+json';
const PARAMS = { apiVersion: 'v1', kind: 'ConfigMap' };
let api: MemoryApi;

beforeEach(async () => {
  api = await apiWithNamespace();
});

async function statusOf(...request: Parameters<MemoryApi['send']>): Promise<number> {
  return (await api.send(...request)).status;
}

const denial = async (...request: Parameters<MemoryApi['send']>) =>
  String((await api.send(...request)).body.message).replace(/^.* denied request: /, '');

const SECRETS = '/api/v1/namespaces/a/secrets';
const secret = (name: string, labels: JsonObject = {}) => ({ metadata: { name, labels } });

describe('the namespace of a write', () => {
  const matchConstraints = (team: string) => ({
    ...((policyOf('p', { resources: ['secrets'] }, 'false').spec as JsonObject)
      .matchConstraints as JsonObject),
    namespaceSelector: { matchLabels: { team } },
  });

  it('answers the namespaceSelector of a policy, for a create and for other verbs', async () => {
    await api.ask('POST', SECRETS, secret('x'));
    const more = { matchConstraints: matchConstraints('red') };
    await enforce(api, policyOf('p', { resources: ['secrets'] }, 'false', more));
    expect(await statusOf('POST', SECRETS, secret('y'))).toBe(422);
    expect(await statusOf('DELETE', `${SECRETS}/x`)).toBe(422);
    await api.ask('PATCH', '/api/v1/namespaces/a', { metadata: { labels: { team: 'blue' } } }, MERGE);
    expect(await statusOf('POST', SECRETS, secret('y'))).toBe(201);
    expect(await statusOf('DELETE', `${SECRETS}/x`)).toBe(200);
  });

  it('answers the namespaceSelector of a policy with failurePolicy Ignore', async () => {
    await api.ask('POST', SECRETS, secret('x'));
    const more = { matchConstraints: matchConstraints('red'), failurePolicy: 'Ignore' };
    await enforce(api, policyOf('p', { resources: ['secrets'] }, 'false', more));
    expect(await statusOf('DELETE', `${SECRETS}/x`)).toBe(422);
  });

  it('answers the namespaceSelector of a binding', async () => {
    await api.ask('POST', SECRETS, secret('x'));
    await enforce(api, policyOf('p', { resources: ['secrets'] }, 'false'), {
      matchResources: { namespaceSelector: { matchLabels: { team: 'blue' } } },
    });
    expect(await statusOf('DELETE', `${SECRETS}/x`)).toBe(200);
    await api.ask('PATCH', '/api/v1/namespaces/a', { metadata: { labels: { team: 'blue' } } }, MERGE);
    await api.ask('POST', '/api/v1/namespaces/a/configmaps', configMap('y'));
    expect(await statusOf('POST', SECRETS, secret('x'))).toBe(422);
  });

  it('is what expressions see as namespaceObject, which is null for cluster-scoped objects', async () => {
    await api.ask('POST', SECRETS, secret('x'));
    const validations = [
      {
        expression: 'false',
        messageExpression:
          "namespaceObject == null ? 'none' : namespaceObject.metadata.name + ' ' + namespaceObject.metadata.labels['team']",
      },
    ];
    const policy = policyOf('p', { groups: ['', 'node.k8s.io'], resources: ['*'] }, 'true', { validations });
    await enforce(api, policy);
    expect(await denial('POST', SECRETS, secret('y'))).toBe('a red');
    expect(await denial('DELETE', `${SECRETS}/x`)).toBe('a red');
    expect(await denial('PATCH', '/api/v1/namespaces/a', { metadata: { labels: { b: 'c' } } }, MERGE)).toBe(
      'none',
    );
    const runtime = { metadata: { name: 'r' }, handler: 'h' };
    expect(await denial('POST', '/apis/node.k8s.io/v1/runtimeclasses', runtime)).toBe('none');
  });

  it('of a Namespace itself is the Namespace: its own labels answer the selector', async () => {
    const namespaceSelector = { matchLabels: { team: 'red' } };
    const resourceRules = [
      { operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['namespaces'] },
    ];
    const more = { matchConstraints: { resourceRules, namespaceSelector } };
    await enforce(api, policyOf('p', { resources: ['namespaces'] }, 'false', more));
    const made = (name: string, team: string) => ({ metadata: { name, labels: { team } } });
    expect(await statusOf('POST', '/api/v1/namespaces', made('b', 'red'))).toBe(422);
    expect(await statusOf('POST', '/api/v1/namespaces', made('b', 'blue'))).toBe(201);
    expect(await statusOf('DELETE', '/api/v1/namespaces/b')).toBe(200);
    expect(await statusOf('DELETE', '/api/v1/namespaces/a')).toBe(422);
  });
});

describe('the parameters of a policy', () => {
  const least = policyOf(
    'p',
    { resources: ['secrets'] },
    "'l' + params.data.least in object.metadata.labels",
    {
      paramKind: PARAMS,
    },
  );

  it('are read by name, as they are now', async () => {
    await api.ask('POST', MAPS, configMap('limits', { least: '1' }));
    await enforce(api, least, {
      paramRef: { name: 'limits', namespace: 'a', parameterNotFoundAction: 'Deny' },
    });
    expect(await statusOf('POST', SECRETS, secret('x', { l2: '' }))).toBe(422);
    await api.ask('PATCH', `${MAPS}/limits`, { data: { least: '2' } }, MERGE);
    expect(await statusOf('POST', SECRETS, secret('x', { l2: '' }))).toBe(201);
    await api.ask('DELETE', `${MAPS}/limits`);
    expect(await denial('POST', SECRETS, secret('y'))).toMatch(/no params found for policy binding/);
  });

  it('are read by a selector, in the namespace of the write, and each of them decides', async () => {
    const labels = { is: 'param' };
    await api.ask('POST', MAPS, configMap('one', { least: '1' }, { labels }));
    await api.ask('POST', MAPS, configMap('two', { least: '2' }, { labels }));
    await enforce(api, least, {
      paramRef: { selector: { matchLabels: labels }, parameterNotFoundAction: 'Allow' },
    });
    expect(await statusOf('POST', SECRETS, secret('x', { l1: '', l2: '' }))).toBe(201);
    expect(await statusOf('POST', SECRETS, secret('y', { l1: '' }))).toBe(422);
    await api.ask('DELETE', `${MAPS}/two`);
    expect(await statusOf('POST', SECRETS, secret('y', { l1: '' }))).toBe(201);
  });

  it('may be of a custom kind, in each version of it', async () => {
    const schema = {
      openAPIV3Schema: { type: 'object', properties: { least: { type: 'string' } } },
    };
    const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema });
    await api.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'limits.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Cluster',
        names: { kind: 'Limit', plural: 'limits' },
        versions: [version('v1', true), version('v2', false)],
      },
    });
    await api.ask('POST', '/apis/example.org/v1/limits', {
      apiVersion: 'example.org/v1',
      kind: 'Limit',
      metadata: { name: 'l' },
      least: '3',
    });
    const validations = [
      { expression: 'false', messageExpression: "params.apiVersion + ' ' + params.least" },
    ];
    const paramKind = { apiVersion: 'example.org/v2', kind: 'Limit' };
    await enforce(api, policyOf('p', { resources: ['secrets'] }, 'true', { validations, paramKind }), {
      paramRef: { name: 'l', parameterNotFoundAction: 'Deny' },
    });
    expect(await denial('POST', SECRETS, secret('x'))).toBe('example.org/v2 3');
  });

  it('of an unknown kind are an error of the configuration, which failurePolicy judges', async () => {
    const paramKind = { apiVersion: 'example.org/v1', kind: 'Limit' };
    const binding = { paramRef: { name: 'l', parameterNotFoundAction: 'Deny' } };
    await enforce(api, policyOf('p', { resources: ['secrets'] }, 'true', { paramKind }), binding);
    expect(await denial('POST', SECRETS, secret('x'))).toBe(
      "failed to configure policy: failed to find resource referenced by paramKind: 'example.org/v1, Kind=Limit'",
    );
    const more = { paramKind, failurePolicy: 'Ignore' };
    await enforce(api, policyOf('q', { resources: ['secrets'] }, 'false', more), binding);
    await api.ask('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/p');
    expect(await statusOf('POST', SECRETS, secret('x'))).toBe(201);
  });
});

describe('an equivalent resource', () => {
  const shown = (resource: string, groups: string[], versions: string[]) =>
    policyOf('p', { resources: [resource], groups, versions }, 'true', {
      validations: [
        { expression: 'false', messageExpression: "object.apiVersion + ' ' + request.resource.version" },
      ],
    });

  it('matches another version of a kind, and is converted to it', async () => {
    await enforce(api, shown('horizontalpodautoscalers', ['autoscaling'], ['v1']));
    const spec = {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    };
    const path = '/apis/autoscaling/v2/namespaces/a/horizontalpodautoscalers';
    expect(await denial('POST', path, { metadata: { name: 'x' }, spec })).toBe('autoscaling/v1 v1');
  });

  it('matches another group of a kind', async () => {
    await enforce(api, shown('events', ['events.k8s.io'], ['v1']));
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'a' },
    };
    expect(await denial('POST', '/api/v1/namespaces/a/events', event)).toBe('events.k8s.io/v1 v1');
  });

  it('matches another version of a custom kind', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema });
    await api.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'limits.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { kind: 'Limit', plural: 'limits' },
        versions: [version('v1', true), version('v2', false)],
      },
    });
    await enforce(api, shown('limits', ['example.org'], ['v1']));
    const path = '/apis/example.org/v2/namespaces/a/limits';
    const limit = { apiVersion: 'example.org/v2', kind: 'Limit', metadata: { name: 'l' } };
    expect(await denial('POST', path, limit)).toBe('example.org/v1 v1');
  });
});

describe('the authorizer of expressions', () => {
  const may = (access: string) =>
    policyOf('p', { resources: ['secrets'] }, 'true', {
      validations: [{ expression: 'false', messageExpression: access }],
    });

  it('answers for the caller, whether a member of system:masters or another user', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1';
    const resources = ['secrets', 'configmaps'];
    await api.ask('POST', `${roles}/clusterroles`, {
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources, verbs: ['create'] }],
    });
    await api.ask('POST', `${roles}/clusterrolebindings`, {
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' },
        { kind: 'ServiceAccount', namespace: 'a', name: 'robot' },
      ],
    });
    await enforce(
      api,
      policyOf('p', { resources: ['secrets'] }, "object.metadata.name != 'x'", {
        validations: [
          {
            expression:
              "authorizer.group('').resource('configmaps').namespace('a').check('delete').allowed()",
            message: 'may not delete',
          },
          {
            expression:
              "authorizer.serviceAccount('a', 'robot').group('').resource('secrets').check('create').allowed()",
            message: 'robot may not create',
          },
          {
            expression:
              "!authorizer.serviceAccount('a', 'other').group('').resource('secrets').check('create').allowed()",
            message: 'other may create',
          },
        ],
      }),
    );
    const jane = api.as({ username: 'jane', groups: ['system:authenticated'] });
    expect((await jane.send('POST', SECRETS, secret('x'))).body.message).toMatch(/may not delete$/);
    expect(await statusOf('POST', SECRETS, secret('x'))).toBe(201);
  });

  it('can be named in the message of no policy', async () => {
    const { status } = await api.send(
      'POST',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      may("string(authorizer.path('/').check('get').allowed())"),
    );
    expect(status).toBe(422);
  });
});
