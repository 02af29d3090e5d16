import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Binder, type BinderOptions, createBinder } from '../../../../lib/controllers/binding/index.ts';
import { type JsonObject, metadataOf, objectAt } from '../../../../lib/json/index.ts';
import { type Clock, silentLogger } from '../../../../lib/platform/index.ts';
import { createStore, placerKey, type Table } from '../../../../lib/store/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const MINUTE = 60_000;
const ALLOCATABLE = { cpu: '4', memory: '8Gi', pods: '110' };

let api: MemoryApi;
let announced: string[];
let binder: Binder;

/** A binder that knows nothing yet, like a new process. */
function newBinder(seed = 7, more: Partial<BinderOptions> = {}): Binder {
  const { world, clock } = api.memory;
  return createBinder({
    table: world.table,
    store: world.store,
    clock,
    random: seeded(seed),
    logger: silentLogger,
    hints: { announce: async (collection, rv) => void announced.push(`${collection} ${rv}`) },
    schedulerName: 'winnow',
    ...more,
  });
}

/** Time that passes by computing: no timer fires during it. */
class BusyClock implements Clock {
  readonly #clock: Clock;
  readonly #step: number;
  #worked = 0;

  constructor(clock: Clock, step: number) {
    this.#clock = clock;
    this.#step = step;
  }

  now(): number {
    this.#worked += this.#step;
    return this.#clock.now() + this.#worked;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(milliseconds, signal);
  }

  deadline(milliseconds: number): AbortSignal {
    return this.#clock.deadline(milliseconds);
  }

  every(milliseconds: number, look: () => void): () => void {
    return this.#clock.every(milliseconds, look);
  }
}

beforeEach(async () => {
  api = await createMemoryApi();
  announced = [];
  binder = newBinder();
});

const bind = (one = binder, waits = true, time = MINUTE) =>
  api.memory.clock.during(one.bind({ waits, time }));

async function addNode(name: string, labels: Record<string, string> = {}, allocatable = ALLOCATABLE) {
  const status = { allocatable, conditions: [{ type: 'Ready', status: 'True' }] };
  const node = await api.ask('POST', '/api/v1/nodes', { metadata: { name, labels }, status });
  await api.ask('PUT', `/api/v1/nodes/${name}/status`, node);
}

const PODS = '/api/v1/namespaces/default/pods';
const addPod = (name: string, spec: JsonObject = {}, labels: Record<string, string> = {}) =>
  api.ask('POST', PODS, {
    metadata: { name, labels },
    spec: { ...podSpec(), schedulerName: 'winnow', ...spec },
  });
const asking = (cpu: string): JsonObject => ({
  containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu } } }],
});
const pod = (name: string) => api.ask('GET', `${PODS}/${name}`);
const nodeOf = async (name: string) => objectAt((await pod(name)).spec).nodeName;
const conditionOf = async (name: string) =>
  (objectAt((await pod(name)).status).conditions as JsonObject[] | undefined)?.find(
    ({ type }) => type === 'PodScheduled',
  );
const events = async () =>
  ((await api.ask('GET', '/api/v1/namespaces/default/events')).items as JsonObject[])
    .map(
      ({ reason, message, count, involvedObject }) =>
        `${objectAt(involvedObject).name} ${reason} ${count}: ${message}`,
    )
    .sort();
const table = () => api.memory.world.table;
const NOWHERE = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";

describe('The binder', () => {
  it('The binder binds the pods of its scheduler to nodes, reports it, and hints dispatch', async () => {
    await addNode('a');
    await addPod('mine');
    await addPod('another', { schedulerName: 'default-scheduler' });
    expect(await bind()).toBe(true);
    expect(await nodeOf('mine')).toBe('a');
    expect(await conditionOf('mine')).toMatchObject({ status: 'True' });
    expect(await nodeOf('another')).toBeUndefined();
    expect(await events()).toEqual(['mine Scheduled 1: Successfully assigned default/mine to a']);
    expect(announced).toEqual([`core/pods ${metadataOf(await pod('mine')).resourceVersion}`]);
  });

  it('The binder reports once why a pod has no node, and binds the pod as soon as a node fits', async () => {
    await addNode('a');
    await addPod('picky', { nodeSelector: { disk: 'ssd' } });
    await bind();
    expect(await conditionOf('picky')).toEqual({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: NOWHERE,
      lastProbeTime: null,
      lastTransitionTime: expect.any(String),
    });
    await bind();
    expect(await events()).toEqual([`picky FailedScheduling 1: ${NOWHERE}`]);
    await addNode('b', { disk: 'ssd' });
    await bind();
    expect(await nodeOf('picky')).toBe('b');
  });

  it('The binder is not woken by its own writes', async () => {
    await addNode('a');
    await addPod('one');
    await addPod('picky', { nodeSelector: { disk: 'ssd' } });
    await bind();
    const before = await table().get(placerKey);
    await bind(newBinder());
    expect(await table().get(placerKey)).toEqual(before);
  });

  it('The binder places higher priorities first, and skips pods that are gated or being deleted', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    await api.ask('POST', classes, { metadata: { name: 'high' }, value: 1000 });
    await addNode('a', {}, { ...ALLOCATABLE, cpu: '1' });
    await addPod('a-low', asking('1'));
    await addPod('gated', { ...asking('1'), schedulingGates: [{ name: 'wait' }] });
    await addPod('high', { ...asking('1'), priorityClassName: 'high' });
    await bind();
    expect(await nodeOf('high')).toBe('a');
    expect(await conditionOf('a-low')).toMatchObject({
      message: '0/1 nodes are available: 1 Insufficient cpu.',
    });
    expect(await conditionOf('gated')).toMatchObject({ reason: 'SchedulingGated' });
    api.memory.clock.advance(1_000);
    await api.ask('DELETE', `${PODS}/high?gracePeriodSeconds=0`);
    await api.ask(
      'PATCH',
      `${PODS}/gated`,
      { spec: { schedulingGates: null } },
      'application/merge-patch+json',
    );
    await bind();
    expect([await nodeOf('a-low'), await nodeOf('gated')]).toEqual(['a', undefined]);
  });

  it('Concurrent binders never overcommit a node', async () => {
    await addNode('a', {}, { ...ALLOCATABLE, cpu: '3' });
    for (const name of ['p1', 'p2', 'p3', 'p4']) await addPod(name, asking('1'));
    await Promise.all([bind(), bind(newBinder(8))]);
    const placed = await Promise.all(['p1', 'p2', 'p3', 'p4'].map(nodeOf));
    expect(placed).toEqual(['a', 'a', 'a', undefined]);
  });

  it('A binder leaves all work to another active binder, or waits for it', async () => {
    await addNode('a');
    await addPod('one');
    const leaseExpires = api.memory.clock.now() + 5_000;
    await table().put({ ...placerKey, leaseHolder: 'another', leaseExpires, epoch: 4 });
    expect(await bind(binder, false)).toBe(true);
    expect(await nodeOf('one')).toBeUndefined();
    await bind();
    expect(await nodeOf('one')).toBe('a');
    expect(await table().get(placerKey)).toMatchObject({ epoch: 5 });
  });

  it('The binder binds the pods of another scheduler after a change, whatever the previous scheduler had read', async () => {
    await addNode('a');
    await addPod('another', { schedulerName: 'robots' });
    await bind();
    await bind(newBinder(8, { schedulerName: 'robots' }));
    expect(await nodeOf('another')).toBe('a');
  });

  it('The binder ends in time, however long trying pods takes, and reports that work remains', async () => {
    await addNode('a');
    for (let number = 0; number < 60; number += 1) {
      await addPod(`p${number}`, { nodeSelector: { disk: 'ssd' } });
    }
    const clock = new BusyClock(api.memory.clock, 200);
    const started = clock.now();
    expect(await bind(newBinder(8, { clock }), true, MINUTE)).toBe(false);
    expect(clock.now() - started).toBeLessThan(MINUTE);
    const { leaseHolder, epoch } = { ...(await table().get(placerKey)) };
    expect({ leaseHolder, epoch }).toEqual({ leaseHolder: undefined, epoch: 1 });
  });

  it.each([
    ['of 20 s', 20_000, 20_000],
    ['of ten minutes, in which it leaves the rest to the next', 10 * MINUTE, MINUTE],
  ])('The binder begins no round that may not end in time: %s', async (_, time, most) => {
    await addNode('a');
    for (let number = 0; number < 120; number += 1) {
      await addPod(`p${number}`, { nodeSelector: { disk: 'ssd' } });
    }
    const clock = new BusyClock(api.memory.clock, 1_000);
    const started = clock.now();
    expect(await bind(newBinder(8, { clock }), true, time)).toBe(false);
    expect(clock.now() - started).toBeLessThan(most);
  });

  it('The binder begins nothing without enough time, and does not wait that long for another binder', async () => {
    await addNode('a');
    await addPod('one');
    expect(await bind(binder, true, 10_000)).toBe(false);
    expect(await table().get(placerKey)).toBeUndefined();
    const leaseExpires = api.memory.clock.now() + MINUTE;
    await table().put({ ...placerKey, leaseHolder: 'another', leaseExpires, epoch: 4 });
    const started = api.memory.clock.now();
    await expect(bind(binder, true, 20_000)).rejects.toThrow('is leased');
    expect(api.memory.clock.now() - started).toBeLessThan(6_000);
  });

  it('The binder keeps a pod whose journal entry is readable before its row', async () => {
    await addNode('a');
    await addPod('early');
    await bind(lateBinder());
    expect(await nodeOf('early')).toBe('a');
  });

  it('The binder also reports that no node fits a pod whose row is not readable yet', async () => {
    await addNode('a');
    await addPod('picky', { nodeSelector: { disk: 'ssd' } });
    await bind(lateBinder());
    expect(await conditionOf('picky')).toMatchObject({ reason: 'Unschedulable' });
    expect(await events()).toEqual([`picky FailedScheduling 1: ${NOWHERE}`]);
  });

  /** A binder whose first read does not find the row of the first pod yet. */
  function lateBinder(): Binder {
    let isHidden = true;
    const get: Table['get'] = async (key, signal) => {
      if (key.pk !== 'object#core/pods' || !isHidden) return table().get(key, signal);
      isHidden = false;
      return undefined;
    };
    const late = { ...table(), get };
    const store = createStore({
      table: late,
      clock: api.memory.clock,
      random: seeded(9),
      logger: silentLogger,
    });
    return newBinder(9, { table: late, store });
  }
});
