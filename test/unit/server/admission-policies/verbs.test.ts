import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import { apiWithNamespace, BINDINGS, configMap, enforce, POLICIES, pod, policyOf } from './support.ts';

const MAPS = '/api/v1/namespaces/a/configmaps';
const PODS = '/api/v1/namespaces/a/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/a/deployments';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
let api: MemoryApi;

beforeEach(async () => {
  api = await apiWithNamespace();
});

/** A policy that denies every matching write and says what it saw. */
async function reveal(resources: readonly string[], expression: string, groups = ['']): Promise<void> {
  const messageExpression = expression;
  await enforce(
    api,
    policyOf('reveal', { resources, groups }, 'false', {
      validations: [{ expression: 'false', messageExpression }],
    }),
  );
}

/** As in kube-apiserver, a field of the request that is empty is absent. */
const SEEN = [
  'request.operation',
  'request.kind.kind',
  "request.resource.resource + '/' + request.?subResource.orValue('')",
  "request.?name.orValue('')",
].join(" + ' ' + ");

async function seen(...request: Parameters<MemoryApi['send']>): Promise<string> {
  const { status, body } = await api.send(...request);
  expect(status).toBe(422);
  return String(body.message).replace(/^.* denied request: /, '');
}

describe('a policy sees', () => {
  it('a create, its object and its generated name', async () => {
    await reveal(['configmaps'], `${SEEN} + ' ' + object.metadata.name + string(oldObject == null)`);
    expect(await seen('POST', MAPS, configMap('x'))).toBe('CREATE ConfigMap configmaps/ x xtrue');
    const generated = { ...configMap('x'), metadata: { generateName: 'map-' } };
    expect(await seen('POST', MAPS, generated)).toMatch(/^CREATE ConfigMap configmaps\/ (map-.....) \1true$/);
  });

  it('an update, a patch and an apply of an object as UPDATE, with the object before and after', async () => {
    const made = await api.ask('POST', MAPS, configMap('x', { k: 'old' }));
    await reveal(
      ['configmaps'],
      `${SEEN} + ' ' + oldObject.data.k + ' ' + object.data.k + ' ' + string(oldObject.metadata.resourceVersion == object.metadata.resourceVersion)`,
    );
    const changed = 'UPDATE ConfigMap configmaps/ x old new true';
    expect(await seen('PUT', `${MAPS}/x`, { ...made, data: { k: 'new' } })).toBe(changed);
    expect(await seen('PATCH', `${MAPS}/x`, { data: { k: 'new' } }, MERGE)).toBe(changed);
    const applied = `${MAPS}/x?fieldManager=m&force=true`;
    expect(await seen('PATCH', applied, configMap('x', { k: 'new' }), APPLY)).toBe(changed);
    expect(await seen('PATCH', `${MAPS}/x`, { data: { k: 'old' } }, MERGE)).toBe(
      'UPDATE ConfigMap configmaps/ x old old true',
    );
  });

  it('an apply of a missing object, and a PUT that creates one, as CREATE', async () => {
    await reveal(['configmaps', 'leases'], SEEN, ['', 'coordination.k8s.io']);
    const applied = `${MAPS}/x?fieldManager=m`;
    expect(await seen('PATCH', applied, configMap('x'), APPLY)).toBe('CREATE ConfigMap configmaps/ x');
    const lease = { metadata: { name: 'l' }, spec: {} };
    expect(await seen('PUT', '/apis/coordination.k8s.io/v1/namespaces/a/leases/l', lease)).toBe(
      'CREATE Lease leases/ l',
    );
  });

  it('a delete, without an object and with its options', async () => {
    await api.ask('POST', MAPS, configMap('x', { k: 'old' }));
    await reveal(
      ['configmaps'],
      `${SEEN} + ' ' + oldObject.data.k + string(object == null) + request.options.propagationPolicy`,
    );
    const gone = await seen('DELETE', `${MAPS}/x?propagationPolicy=Orphan`);
    expect(gone).toBe('DELETE ConfigMap configmaps/ x oldtrueOrphan');
  });

  it('each object of a deletion of a collection, by its name', async () => {
    await api.ask('POST', MAPS, configMap('x'));
    await api.ask('POST', MAPS, configMap('y'));
    await reveal(['configmaps'], SEEN);
    const { status, body } = await api.send('DELETE', MAPS);
    expect([status, body.message]).toEqual([422, expect.stringContaining('DELETE ConfigMap configmaps/ x')]);
  });

  it('the removal of the last finalizer as UPDATE', async () => {
    await api.ask('POST', MAPS, configMap('x', {}, { finalizers: ['a/b'] }));
    await api.ask('DELETE', `${MAPS}/x`);
    await reveal(['configmaps'], `${SEEN} + ' ' + string(has(object.metadata.finalizers))`);
    const released = { metadata: { finalizers: null } };
    expect(await seen('PATCH', `${MAPS}/x`, released, MERGE)).toBe('UPDATE ConfigMap configmaps/ x false');
  });

  it('a write through /status as UPDATE of the subresource', async () => {
    await api.ask('POST', PODS, pod('p'));
    await reveal(['pods/status'], `${SEEN} + ' ' + object.status.phase`);
    await api.ask('PATCH', `${PODS}/p`, { metadata: { labels: { a: 'b' } } }, MERGE);
    expect(await seen('PATCH', `${PODS}/p/status`, { status: { phase: 'Failed' } }, MERGE)).toBe(
      'UPDATE Pod pods/status p Failed',
    );
  });

  it('a scale as UPDATE of a Scale', async () => {
    const template = { metadata: { labels: { app: 'x' } }, spec: pod('x').spec ?? {} };
    const spec = { selector: { matchLabels: { app: 'x' } }, template };
    await api.ask('POST', DEPLOYMENTS, { metadata: { name: 'd' }, spec });
    await reveal(
      ['deployments/scale'],
      `${SEEN} + ' ' + request.kind.group + ' ' + string(oldObject.spec.replicas) + ' ' + string(object.spec.replicas)`,
      ['apps'],
    );
    const scaled = { spec: { replicas: 3 } };
    const told = 'UPDATE Scale deployments/scale d autoscaling 1 3';
    expect(await seen('PATCH', `${DEPLOYMENTS}/d/scale`, scaled, MERGE)).toBe(told);
    const scale = { metadata: { name: 'd' }, ...scaled };
    expect(await seen('PUT', `${DEPLOYMENTS}/d/scale`, scale)).toBe(told);
  });

  it('an eviction as CREATE of pods/eviction, and not the DELETE that it causes', async () => {
    await api.ask('POST', PODS, pod('p'));
    await reveal(['pods/eviction'], SEEN);
    const eviction = { metadata: { name: 'p' } };
    expect(await seen('POST', `${PODS}/p/eviction`, eviction)).toBe('CREATE Eviction pods/eviction p');
    await api.ask('DELETE', `${POLICIES}/reveal`);
    await enforce(api, policyOf('other', { operations: ['DELETE'], resources: ['pods'] }, 'false'));
    expect((await api.send('POST', `${PODS}/p/eviction`, eviction)).status).toBe(201);
  });

  it('a binding of a pod, through both paths', async () => {
    await api.ask('POST', PODS, pod('p'));
    await reveal(['pods/binding', 'bindings'], `${SEEN} + ' ' + object.target.name`);
    const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
    expect(await seen('POST', `${PODS}/p/binding`, binding)).toBe('CREATE Binding pods/binding p n');
    expect(await seen('POST', '/api/v1/namespaces/a/bindings', binding)).toBe('CREATE Binding bindings/ p n');
  });

  it('a request for a token of a service account', async () => {
    await api.ask('POST', '/api/v1/namespaces/a/serviceaccounts', { metadata: { name: 's' } });
    await reveal(['serviceaccounts/token'], `${SEEN} + ' ' + object.spec.audiences[0]`);
    const token = { spec: { audiences: ['x'] } };
    expect(await seen('POST', '/api/v1/namespaces/a/serviceaccounts/s/token', token)).toBe(
      'CREATE TokenRequest serviceaccounts/token s x',
    );
  });

  it('a Namespace and its own name as namespace', async () => {
    await reveal(['namespaces'], `${SEEN} + ' ' + request.namespace`);
    expect(await seen('POST', '/api/v1/namespaces', { metadata: { name: 'b' } })).toBe(
      'CREATE Namespace namespaces/ b b',
    );
    expect(await seen('DELETE', '/api/v1/namespaces/a')).toBe('DELETE Namespace namespaces/ a a');
  });

  it('a dry run', async () => {
    await reveal(['configmaps'], 'string(request.dryRun)');
    expect(await seen('POST', `${MAPS}?dryRun=All`, configMap('x'))).toBe('true');
  });

  it('the user of the request', async () => {
    await reveal(['configmaps'], "request.userInfo.username + ' ' + request.userInfo.groups[0]");
    expect(await seen('POST', MAPS, configMap('x'))).toMatch(/ system:masters$/);
  });

  it('the address of a Service', async () => {
    await reveal(['services'], 'string(size(object.spec.clusterIP) > 6)');
    const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
    expect(await seen('POST', '/api/v1/namespaces/a/services', service)).toBe('true');
  });
});

describe('a policy does not see', () => {
  it('policies, bindings, nor reviews', async () => {
    await enforce(api, policyOf('all', { groups: ['*'], resources: ['*/*'] }, 'false'));
    expect((await api.send('POST', MAPS, configMap('x'))).status).toBe(422);
    const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
    const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    expect((await api.send('POST', reviews, review)).status).toBe(201);
    await api.ask('DELETE', `${BINDINGS}/all`);
    expect((await api.send('POST', MAPS, configMap('x'))).status).toBe(201);
    await api.ask('DELETE', `${POLICIES}/all`);
  });
});

it('A denial is a Status with the code, reason, details and cause of kube-apiserver', async () => {
  const validations = [{ expression: 'false', message: 'never', reason: 'Forbidden' }];
  await enforce(
    api,
    policyOf('p', { groups: ['apps'], resources: ['deployments'] }, 'true', { validations }),
  );
  const template: JsonObject = { metadata: { labels: { app: 'x' } }, spec: pod('x').spec ?? {} };
  const { status, body } = await api.send('POST', DEPLOYMENTS, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { app: 'x' } }, template },
  });
  const message = "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: never";
  expect([status, body]).toEqual([
    403,
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `deployments.apps "d" is forbidden: ${message}`,
      reason: 'Forbidden',
      details: { name: 'd', group: 'apps', kind: 'deployments', causes: [{ message }] },
      code: 403,
    },
  ]);
});

it('Validation comes before policies, and policies before quotas', async () => {
  await api.ask('POST', '/api/v1/namespaces/a/resourcequotas', {
    metadata: { name: 'q' },
    spec: { hard: { 'count/configmaps': '0' } },
  });
  expect((await api.send('POST', MAPS, configMap('x'))).status).toBe(403);
  await enforce(api, policyOf('p', { resources: ['configmaps'] }, 'false'));
  expect((await api.send('POST', MAPS, configMap('x'))).body.reason).toBe('Invalid');
  const wrong = configMap('x', { 'no key': '' });
  expect((await api.send('POST', MAPS, wrong)).body.message).toMatch(/^ConfigMap "x" is invalid/);
});
