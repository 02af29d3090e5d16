import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const MERGE = 'application/merge-patch+json';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

/** A running pod that is ready or not. */
async function running(name: string, ready = true): Promise<void> {
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  await api.ask('POST', PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'x' } },
    spec,
  });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] };
  await api.ask('PATCH', `${PODS}/${name}/status`, { status }, MERGE);
}

async function budget(name: string, status: JsonObject, more: JsonObject = {}): Promise<void> {
  const spec = { minAvailable: 1, selector: { matchLabels: { app: 'x' } }, ...more };
  await api.ask('POST', BUDGETS, { metadata: { name }, spec });
  await api.ask(
    'PATCH',
    `${BUDGETS}/${name}/status`,
    { status: { observedGeneration: 1, ...status } },
    MERGE,
  );
}

const evict = (name: string, deleteOptions: JsonObject = {}) =>
  api.send('POST', `${PODS}/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    deleteOptions,
  });

const isLeaving = async (name: string) =>
  metadataOf(await api.ask('GET', `${PODS}/${name}`)).deletionTimestamp !== undefined;

describe('The eviction of a pod', () => {
  it('Concurrent evictions use exactly the budget', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) await running(name);
    await budget('b', { disruptionsAllowed: 2, currentHealthy: 6, desiredHealthy: 4, expectedPods: 6 });
    const answers = await Promise.all(names.map((name) => evict(name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429, 429]);
    const leaving = [];
    for (const name of names) if (await isLeaving(name)) leaving.push(name);
    const { status } = await api.ask('GET', `${BUDGETS}/b`);
    expect(objectAt(status).disruptionsAllowed).toBe(0);
    expect(Object.keys(objectAt(objectAt(status).disruptedPods))).toEqual(leaving);
    expect(objectAt(status).conditions).toMatchObject([{ type: 'DisruptionAllowed', status: 'False' }]);
  });

  it('An eviction stores its reason in the pod', async () => {
    await running('a');
    await evict('a');
    const { status } = await api.ask('GET', `${PODS}/a`);
    expect(objectAt(status).conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }),
    );
  });

  it('An eviction is refused while the allowed disruptions of the budget are unknown', async () => {
    await running('a');
    await api.ask('POST', BUDGETS, {
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
    });
    const { status, headers, body } = await evict('a');
    expect([status, headers['retry-after']]).toEqual([429, '10']);
    expect(objectAt(body.details).causes).toEqual([
      {
        reason: 'DisruptionBudget',
        message: 'The disruption budget b is still being processed by the server.',
      },
    ]);
    expect(await isLeaving('a')).toBe(false);
  });

  it('An eviction in a dry run uses nothing of the budget', async () => {
    await running('a');
    await budget('b', { disruptionsAllowed: 1 });
    expect((await evict('a', { dryRun: ['All'] })).status).toBe(201);
    expect(await isLeaving('a')).toBe(false);
    expect(objectAt((await api.ask('GET', `${BUDGETS}/b`)).status).disruptionsAllowed).toBe(1);
  });

  it('An eviction of an unhealthy pod uses nothing if there are enough healthy pods', async () => {
    await running('a', false);
    await budget('b', { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 });
    expect((await evict('a')).status).toBe(201);
    expect(await isLeaving('a')).toBe(true);
  });

  it('An eviction of an unhealthy pod is refused without enough healthy pods, unless the budget always allows it', async () => {
    await running('a', false);
    const few = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2 };
    await budget('b', few);
    expect((await evict('a')).status).toBe(429);
    await api.ask('PATCH', `${BUDGETS}/b`, { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } }, MERGE);
    expect((await evict('a')).status).toBe(201);
  });

  it('An eviction of a pod that has not started needs no budget', async () => {
    await api.ask('POST', PODS, {
      metadata: { name: 'a', labels: { app: 'x' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await budget('b', { disruptionsAllowed: 0 });
    expect((await evict('a')).status).toBe(201);
    expect((await api.send('GET', `${PODS}/a`)).status).toBe(404);
  });

  it('An eviction is refused if two budgets select the pod', async () => {
    await running('a');
    await budget('b', { disruptionsAllowed: 1 });
    await budget('c', { disruptionsAllowed: 1 });
    const { status, body } = await evict('a');
    expect(status).toBe(409);
    expect(body.message).toContain('more than one PodDisruptionBudget');
  });

  it('An eviction checks its preconditions about the pod', async () => {
    await running('a');
    expect((await evict('a', { preconditions: { uid: 'another' } })).status).toBe(409);
    expect(await isLeaving('a')).toBe(false);
  });
});
