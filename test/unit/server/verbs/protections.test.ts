import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import { dueGcTasks, GC_TASK_SHARDS, parseGcTaskKey } from '../../../../lib/store/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const NODES = '/api/v1/nodes';
const MERGE = 'application/merge-patch+json';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const claim = (name: string, namespace = 'default') =>
  api.ask('POST', `/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });

const pod = (name: string, claimName: string, spec: JsonObject = {}) =>
  api.ask('POST', PODS, {
    metadata: { name },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
      ...spec,
    },
  });

/** When the GC tasks are due, by shard. */
async function looks(): Promise<number[]> {
  const due: number[] = [];
  for (let shard = 0; shard < GC_TASK_SHARDS; shard += 1) {
    const owed = await dueGcTasks(api.memory.world.table, {
      shard,
      until: Number.MAX_SAFE_INTEGER,
      limit: 10,
    });
    due.push(...owed.map(({ key }) => parseGcTaskKey(key)?.due ?? 0));
  }
  return due;
}

const isThere = async (path: string) => (await api.send('GET', path)).status === 200;

describe('A claim that is deleted', () => {
  it('A claim that no pod mounts is deleted', async () => {
    expect(metadataOf(await claim('a')).finalizers).toEqual(['kubernetes.io/pvc-protection']);
    await api.ask('DELETE', `${CLAIMS}/a`);
    expect(await isThere(`${CLAIMS}/a`)).toBe(true);
    await api.memory.minutes(1);
    expect(await isThere(`${CLAIMS}/a`)).toBe(false);
  });

  it('A claim stays while a pod on a node mounts it, and is deleted afterwards', async () => {
    await claim('a');
    await pod('p', 'a');
    await api.ask('DELETE', `${CLAIMS}/a`);
    await api.memory.minutes(5);
    expect(await isThere(`${CLAIMS}/a`)).toBe(true);
    const [owed, ...others] = await looks();
    expect([others, Number(owed) > api.memory.clock.now() - 60_000]).toEqual([[], true]);
    await api.ask('DELETE', `${PODS}/p?gracePeriodSeconds=0`);
    await api.memory.minutes(1);
    expect(await isThere(`${CLAIMS}/a`)).toBe(false);
  });

  it.each<[string, string, JsonObject]>([
    ['has no node yet', 'a', { nodeName: '' }],
    ['mounts another', 'b', {}],
  ])('does not wait for a pod that %s', async (_what, claimName, spec) => {
    await claim('a');
    await pod('p', claimName, spec);
    await api.ask('DELETE', `${CLAIMS}/a`);
    await api.memory.minutes(1);
    expect(await isThere(`${CLAIMS}/a`)).toBe(false);
  });

  it('A claim is deleted with its namespace', async () => {
    await api.ask('POST', '/api/v1/namespaces', { metadata: { name: 'other' } });
    await claim('a', 'other');
    await api.ask('DELETE', '/api/v1/namespaces/other');
    await api.memory.minutes(3);
    expect(await isThere('/api/v1/namespaces/other')).toBe(false);
  });
});

describe('The lifecycle taints of a node', () => {
  const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const own = { key: 'a', effect: 'NoExecute' };
  const taints = async () => objectAt((await api.ask('GET', `${NODES}/n1`)).spec).taints;
  const becomes = (status: string) =>
    api.ask('PATCH', `${NODES}/n1/status`, { status: { conditions: [{ type: 'Ready', status }] } }, MERGE);

  beforeEach(async () => {
    await api.ask('POST', NODES, { metadata: { name: 'n1' }, spec: { taints: [own] } });
  });

  it('A new node is not ready', async () => {
    expect(await taints()).toEqual([own, NOT_READY]);
  });

  it('A node loses its taint when its status is ready, also if it was created as ready', async () => {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    const made = await api.ask('POST', NODES, { metadata: { name: 'n2' }, status });
    expect(objectAt(made.spec).taints).toEqual([NOT_READY]);
    const { spec } = await api.ask('PUT', `${NODES}/n2/status`, { metadata: { name: 'n2' }, status });
    expect(objectAt(spec).taints).toBeUndefined();
  });

  it('A node gets a taint when its condition changes', async () => {
    await becomes('True');
    expect(await taints()).toEqual([own]);
    await becomes('Unknown');
    expect(await taints()).toEqual([own, { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }]);
    await becomes('False');
    expect(await taints()).toEqual([own, NOT_READY]);
  });

  it('A node does not get a removed taint back', async () => {
    await becomes('False');
    await api.ask('PATCH', `${NODES}/n1`, { spec: { taints: [own] } }, MERGE);
    await becomes('False');
    expect(await taints()).toEqual([own]);
  });
});

describe('A namespace of the system', () => {
  it.each(['default', 'kube-public', 'kube-system'])('The namespace %s cannot be deleted', async (name) => {
    expect((await api.send('DELETE', `/api/v1/namespaces/${name}`)).status).toBe(403);
  });

  it('The namespace is created with its first object', async () => {
    const path = '/api/v1/namespaces/kube-system';
    await api.ask('POST', `${path}/configmaps`, { metadata: { name: 'a' } });
    expect(await isThere(path)).toBe(true);
  });
});
