import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const PODS = '/api/v1/namespaces/default/pods';
const MERGE = 'application/merge-patch+json';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const create = (spec: JsonObject = {}, metadata: JsonObject = {}) =>
  api.ask('POST', PODS, {
    metadata: { name: 'a', ...metadata },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], ...spec },
  });

const isThere = async () => (await api.send('GET', `${PODS}/a`)).status === 200;

describe('A pod on a node', () => {
  it('A deleted pod has a grace period, and is deleted after it even without a confirmation', async () => {
    await create();
    const { deletionGracePeriodSeconds, generation } = metadataOf(await api.ask('DELETE', `${PODS}/a`));
    expect([deletionGracePeriodSeconds, generation]).toEqual([30, 2]);
    expect(await isThere()).toBe(true);
    await api.memory.minutes(2);
    expect(await isThere()).toBe(false);
  });

  it('A deleted pod is removed at once when the node confirms it', async () => {
    await create();
    await api.ask('DELETE', `${PODS}/a`);
    await api.ask('DELETE', `${PODS}/a?gracePeriodSeconds=0`);
    expect(await isThere()).toBe(false);
  });

  it('A deleted pod stays for its grace period, and no longer than the last one given', async () => {
    await create({ terminationGracePeriodSeconds: 3600 });
    await api.ask('DELETE', `${PODS}/a`);
    await api.memory.minutes(2);
    expect(await isThere()).toBe(true);
    await api.ask('DELETE', `${PODS}/a?gracePeriodSeconds=7200`);
    await api.ask('DELETE', `${PODS}/a?gracePeriodSeconds=180`);
    await api.memory.minutes(2);
    expect(await isThere()).toBe(false);
  });

  it('A pod with finalizers stays after its grace period, and is deleted with the last finalizer', async () => {
    await create({}, { finalizers: ['example.com/f'] });
    await api.ask('DELETE', `${PODS}/a`);
    await api.memory.minutes(2);
    expect(metadataOf(await api.ask('GET', `${PODS}/a`)).deletionGracePeriodSeconds).toBe(0);
    await api.ask('PATCH', `${PODS}/a`, { metadata: { finalizers: null } }, MERGE);
    expect(await isThere()).toBe(false);
  });

  it('A pod outlives its last finalizer during its grace period', async () => {
    await create({}, { finalizers: ['example.com/f'] });
    await api.ask('DELETE', `${PODS}/a`);
    await api.ask('PATCH', `${PODS}/a`, { metadata: { finalizers: null } }, MERGE);
    expect(await isThere()).toBe(true);
    await api.memory.minutes(2);
    expect(await isThere()).toBe(false);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['has no node', { nodeName: '' }, {}],
    ['has ended', {}, { phase: 'Succeeded' }],
    ['is given none', { terminationGracePeriodSeconds: 0 }, {}],
  ])('or %s: goes at once', async (_what, spec, status) => {
    await create(spec);
    await api.ask('PATCH', `${PODS}/a/status`, { status }, MERGE);
    await api.ask('DELETE', `${PODS}/a`);
    expect(await isThere()).toBe(false);
  });

  it('A delete of a collection gives the same grace period', async () => {
    await create();
    await api.ask('DELETE', PODS);
    expect(metadataOf(await api.ask('GET', `${PODS}/a`)).deletionGracePeriodSeconds).toBe(30);
  });

  it('A pod is deleted with its namespace', async () => {
    const pods = '/api/v1/namespaces/other/pods';
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    const spec = {
      nodeName: 'n1',
      containers: [{ name: 'c', image: 'i' }],
      terminationGracePeriodSeconds: 3600,
    };
    await api.ask('POST', pods, { metadata: { name: 'a' }, spec });
    await api.ask('DELETE', `${pods}/a`);
    await api.ask('DELETE', '/api/v1/namespaces/other');
    await api.memory.minutes(2);
    expect((await api.send('GET', '/api/v1/namespaces/other')).status).toBe(404);
  });
});

describe('A namespace with another finalizer in its spec', () => {
  const path = '/api/v1/namespaces/other';

  it('The namespace is emptied, and deleted when the finalizer is removed through /finalize', async () => {
    const metadata = { name: 'other' };
    await api.ask('POST', '/api/v1/namespaces', { metadata, spec: { finalizers: ['example.com/f'] } });
    await api.ask('DELETE', path);
    await api.memory.minutes(2);
    const { spec } = await api.ask('GET', path);
    expect(spec).toEqual({ finalizers: ['example.com/f'] });
    await api.ask('PUT', `${path}/finalize`, { metadata, spec: { finalizers: [] } });
    expect((await api.send('GET', path)).status).toBe(404);
  });
});
