import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { ensurePriorityClasses } from '../../../../lib/server/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const CORE = '/api/v1/namespaces/default';
const PRIORITIES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const CONTAINERS = [{ name: 'c', image: 'i' }];

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const pod = (spec: JsonObject) =>
  api.send('POST', `${CORE}/pods`, { metadata: { name: 'p' }, spec: { containers: CONTAINERS, ...spec } });

async function made(spec: JsonObject): Promise<JsonObject> {
  const { status, body } = await pod(spec);
  expect(status).toBe(201);
  return objectAt(body.spec);
}

async function refusal(spec: JsonObject): Promise<string> {
  const { status, body } = await pod(spec);
  expect(status).toBe(403);
  return String(body.message).replace('pods "p" is forbidden: ', '');
}

describe('The priority of a pod', () => {
  const priority = (name: string, more: JsonObject) =>
    api.send('POST', PRIORITIES, { metadata: { name }, value: 7, ...more });

  it.each<[string, JsonObject, JsonObject]>([
    ['its class', { priorityClassName: 'seven' }, { priority: 7, preemptionPolicy: 'Never' }],
    [
      'a class of the system',
      { priorityClassName: 'system-cluster-critical' },
      { priority: 2_000_000_000, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    ['none', {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  ])('is of %s', async (_, spec, expected) => {
    await priority('seven', { preemptionPolicy: 'Never' });
    expect(await made(spec)).toMatchObject(expected);
  });

  it('A pod without a class has the priority of the only default class', async () => {
    await priority('usual', { globalDefault: true });
    expect(await made({})).toMatchObject({ priorityClassName: 'usual', priority: 7 });
    const second = await priority('second', { globalDefault: true });
    expect(second.body).toMatchObject({
      code: 403,
      message:
        'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    });
    const again = await api.send(
      'PATCH',
      `${PRIORITIES}/usual`,
      { description: 'd' },
      'application/merge-patch+json',
    );
    expect(again.status).toBe(200);
  });

  it.each<[string, JsonObject, string]>([
    [
      'of a class that is not there',
      { priorityClassName: 'nope' },
      'no PriorityClass with name nope was found',
    ],
    [
      'of another number',
      { priority: 5 },
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      'of another policy',
      { priorityClassName: 'system-node-critical', preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ])('is refused %s', async (_, spec, why) => {
    expect(await refusal(spec)).toBe(why);
  });
});

describe('The priority classes of the system', () => {
  it('The system classes are created if absent, apply only to pods that name them, and stay', async () => {
    const { world, clock } = api.memory;
    const outside = { store: world.store, clock, random: world.random };
    for (let time = 0; time < 2; time += 1) await clock.during(ensurePriorityClasses(outside));
    const { items } = await api.ask('GET', PRIORITIES);
    const named = Array.isArray(items) ? items.map((item) => objectAt(objectAt(item).metadata).name) : [];
    expect(named).toEqual(['system-cluster-critical', 'system-node-critical']);
    expect(await made({})).toMatchObject({ priority: 0 });
    const { body } = await api.send('DELETE', `${PRIORITIES}/system-node-critical`);
    expect(body).toMatchObject({
      code: 403,
      message:
        'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
    });
  });
});

describe('A pod of a runtime class', () => {
  const runtime = (more: JsonObject) =>
    api.ask('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: 'r' },
      handler: 'h',
      ...more,
    });

  it('The pod gets the overhead, the nodes and the tolerations of its class', async () => {
    const toleration = { key: 'k', operator: 'Exists' };
    const scheduling = { nodeSelector: { disk: 'ssd' }, tolerations: [toleration] };
    await runtime({ overhead: { podFixed: { cpu: '250m' } }, scheduling });
    const spec = await made({ runtimeClassName: 'r', nodeSelector: { zone: 'a' } });
    expect(spec).toMatchObject({ overhead: { cpu: '250m' }, nodeSelector: { zone: 'a', disk: 'ssd' } });
    expect(spec.tolerations).toContainEqual(toleration);
  });

  it.each<[string, JsonObject, string]>([
    ['it is not there', { runtimeClassName: 'x' }, 'pod rejected: RuntimeClass "x" not found'],
    [
      'the pod says another overhead',
      { runtimeClassName: 'r', overhead: { cpu: '1' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      'the pod wants other nodes',
      { runtimeClassName: 'r', nodeSelector: { disk: 'hdd' } },
      'conflict: runtimeClass.scheduling.nodeSelector[disk] = ssd; pod.spec.nodeSelector[disk] = hdd',
    ],
    [
      'the pod has an overhead and no class',
      { overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
  ])('is refused where %s', async (_, spec, why) => {
    await runtime({ overhead: { podFixed: { cpu: '250m' } }, scheduling: { nodeSelector: { disk: 'ssd' } } });
    expect(await refusal(spec)).toBe(why);
  });
});

describe('A default class', () => {
  const storage = (name: string, annotations: JsonObject) =>
    api.ask('POST', '/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name, annotations },
      provisioner: 'p',
    });
  const claim = async (name: string, more: JsonObject = {}) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more };
    return objectAt(
      (await api.ask('POST', `${CORE}/persistentvolumeclaims`, { metadata: { name }, spec })).spec,
    );
  };

  it('The default class applies to claims without a class; of several, the newest', async () => {
    expect(await claim('a')).not.toHaveProperty('storageClassName');
    await storage('old', { 'storageclass.beta.kubernetes.io/is-default-class': 'true' });
    expect(await claim('b')).toMatchObject({ storageClassName: 'old' });
    api.memory.clock.advance(2_000);
    await storage('new', { 'storageclass.kubernetes.io/is-default-class': 'true' });
    expect(await claim('c')).toMatchObject({ storageClassName: 'new' });
    expect(await claim('d', { storageClassName: '' })).toMatchObject({ storageClassName: '' });
    expect(await claim('e', { storageClassName: 'x' })).toMatchObject({ storageClassName: 'x' });
  });

  it('The default class applies to ingresses without a class', async () => {
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    await api.ask('POST', '/apis/networking.k8s.io/v1/ingressclasses', {
      metadata: { name: 'i', annotations },
      spec: { controller: 'example.com/c' },
    });
    const ingress = async (name: string, own: JsonObject = {}) => {
      const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
      const body = { metadata: { name, annotations: own }, spec };
      return objectAt(
        (await api.ask('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', body)).spec,
      );
    };
    expect(await ingress('a')).toMatchObject({ ingressClassName: 'i' });
    expect(await ingress('b', { 'kubernetes.io/ingress.class': 'x' })).not.toHaveProperty('ingressClassName');
  });
});
