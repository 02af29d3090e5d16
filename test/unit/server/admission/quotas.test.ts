import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { quotaReckoner } from '../../../../lib/server/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const CORE = '/api/v1/namespaces/default';
const QUOTAS = `${CORE}/resourcequotas`;
const MERGE = 'application/merge-patch+json';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const quota = (name: string, hard: JsonObject, more: JsonObject = {}) =>
  api.ask('POST', QUOTAS, { metadata: { name }, spec: { hard, ...more } });

const pod = (name: string, requests?: JsonObject, more: JsonObject = {}) =>
  api.send('POST', `${CORE}/pods`, {
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', ...(requests && { resources: { requests } }) }], ...more },
  });

const service = (name: string, spec: JsonObject = {}) =>
  api.send('POST', `${CORE}/services`, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });

const claim = (name: string, storage: string, more: JsonObject = {}) =>
  api.send('POST', `${CORE}/persistentvolumeclaims`, {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more },
  });

async function statusOf(name: string): Promise<JsonObject> {
  return objectAt((await api.ask('GET', `${QUOTAS}/${name}`)).status);
}

/** The part of the tick that concerns quotas. */
async function minute(): Promise<void> {
  const { world, clock } = api.memory;
  await clock.during(quotaReckoner(clock, world.hints)(world.store));
}

describe('The kind ResourceQuota', () => {
  it('A ResourceQuota holds under any number of concurrent requests', async () => {
    await quota('q', { pods: 2 });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => pod(name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403]);
    const { items } = await api.ask('GET', `${CORE}/pods`);
    expect(items).toHaveLength(2);
  });

  it('A ResourceQuota counts existing objects, including older ones, but no deleted or finished ones', async () => {
    await pod('before');
    await quota('q', { pods: 2 });
    expect((await pod('second')).status).toBe(201);
    expect((await pod('third')).body.message).toBe(
      'pods "third" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    );
    await api.ask('DELETE', `${CORE}/pods/before`);
    expect((await pod('third')).status).toBe(201);
    await api.ask('PATCH', `${CORE}/pods/third/status`, { status: { phase: 'Succeeded' } }, MERGE);
    expect((await pod('fourth')).status).toBe(201);
  });

  it('A ResourceQuota is checked by a dry run, which uses nothing of it', async () => {
    await quota('q', { configmaps: 1 });
    const create = (query = '') =>
      api.send('POST', `${CORE}/configmaps${query}`, { metadata: { name: `c${query.length}` } });
    expect((await create('?dryRun=All')).status).toBe(201);
    expect((await create()).status).toBe(201);
    expect((await create('?dryRun=All')).status).toBe(403);
    expect(await statusOf('q')).toEqual({ hard: { configmaps: '1' }, used: { configmaps: '1' } });
  });

  it('A ResourceQuota measures pods as a whole, and requires a value from every container', async () => {
    await quota('q', { 'requests.cpu': '1', 'limits.memory': '1Gi' });
    expect((await pod('a', { cpu: '100m' })).body.message).toBe(
      'pods "a" is forbidden: failed quota: q: must specify limits.memory for: c',
    );
    const container = (name: string, cpu: string, more: JsonObject = {}) => ({
      name,
      image: 'i',
      resources: { requests: { cpu }, limits: { memory: '256Mi' } },
      ...more,
    });
    const made = await pod('a', undefined, {
      containers: [container('c', '200m'), container('d', '300m')],
      initContainers: [container('i', '700m'), container('s', '100m', { restartPolicy: 'Always' })],
    });
    expect(made.status).toBe(201);
    // The first init container takes more than the others together with the one that keeps running.
    expect(await statusOf('q')).toMatchObject({ used: { 'requests.cpu': '700m', 'limits.memory': '768Mi' } });
    expect((await pod('b', undefined, { containers: [container('c', '400m')] })).body.message).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=400m, used: requests.cpu=700m, limited: requests.cpu=1',
    );
  });

  it('A ResourceQuota counts only the pods of its scopes', async () => {
    await quota('few', { pods: 1 }, { scopes: ['BestEffort'] });
    const ofClass = { scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] };
    await quota('none', { pods: 0 }, { scopeSelector: { matchExpressions: [ofClass] } });
    expect((await pod('a')).status).toBe(201);
    expect((await pod('b')).body.message).toContain('exceeded quota: few');
    expect((await pod('b', { cpu: '1' })).status).toBe(201);
    const critical = { priorityClassName: 'system-node-critical' };
    expect((await pod('c', { cpu: '1' }, critical)).body.message).toContain('exceeded quota: none');
  });

  it('A ResourceQuota counts node ports, also of a service that gets some later', async () => {
    await quota('q', { services: 2, 'services.nodeports': 1, 'services.loadbalancers': 0 });
    expect((await service('a', { type: 'NodePort' })).status).toBe(201);
    expect((await service('b')).status).toBe(201);
    const change = await api.send('PATCH', `${CORE}/services/b`, { spec: { type: 'NodePort' } }, MERGE);
    expect(change.body.message).toContain('requested: services.nodeports=1, used: services.nodeports=1');
    const label = { metadata: { labels: { a: 'b' } } };
    expect((await api.send('PATCH', `${CORE}/services/b`, label, MERGE)).status).toBe(200);
    expect((await service('c', { type: 'LoadBalancer' })).body.message).toContain('services.loadbalancers=1');
  });

  it('A ResourceQuota counts storage, also by class, and the growth of a claim', async () => {
    const gold = 'gold.storageclass.storage.k8s.io/requests.storage';
    await quota('q', { 'requests.storage': '10Gi', [gold]: '2Gi' });
    expect((await claim('a', '1Gi', { storageClassName: 'gold' })).status).toBe(201);
    expect((await claim('b', '2Gi', { storageClassName: 'gold' })).body.message).toContain(
      `requested: ${gold}=2Gi, used: ${gold}=1Gi, limited: ${gold}=2Gi`,
    );
    expect((await claim('b', '9Gi')).status).toBe(201);
    expect((await claim('c', '1')).body.message).toContain('used: requests.storage=10Gi');
  });

  it('A ResourceQuota counts objects of any kind', async () => {
    await quota('q', { 'count/deployments.apps': 0 });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const body = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const { body: refused } = await api.send('POST', '/apis/apps/v1/namespaces/default/deployments', body);
    expect(refused.message).toBe(
      'deployments.apps "d" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
    );
  });

  it('A ResourceQuota is checked by an apply that creates', async () => {
    await quota('q', { configmaps: 0 });
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    const path = `${CORE}/configmaps/c?fieldManager=m`;
    const { status } = await api.send('PATCH', path, body, 'application/apply-patch+yaml');
    expect(status).toBe(403);
  });

  it('A ResourceQuota holds only in its namespace', async () => {
    await quota('q', { pods: 0 });
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    const body = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    expect((await api.send('POST', '/api/v1/namespaces/other/pods', body)).status).toBe(201);
  });

  it('A ResourceQuota reports its usage every minute, also after other deletions', async () => {
    await pod('a', { cpu: '250m' });
    await quota('q', { pods: 5, 'requests.cpu': '2', secrets: 3, 'count/leases.coordination.k8s.io': 1 });
    await minute();
    expect(await statusOf('q')).toEqual({
      hard: { 'count/leases.coordination.k8s.io': '1', pods: '5', 'requests.cpu': '2', secrets: '3' },
      used: { 'count/leases.coordination.k8s.io': '0', pods: '1', 'requests.cpu': '250m', secrets: '0' },
    });
    const { resourceVersion } = objectAt((await api.ask('GET', `${QUOTAS}/q`)).metadata);
    await minute();
    expect((await api.ask('GET', `${QUOTAS}/q`)).metadata).toMatchObject({ resourceVersion });
    await api.ask('DELETE', `${CORE}/pods/a`);
    await minute();
    expect(await statusOf('q')).toMatchObject({ used: { pods: '0', 'requests.cpu': '0' } });
  });
});
