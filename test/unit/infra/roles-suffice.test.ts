import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import { createRequestBudget } from '../../../lib/budget/index.ts';
import { createBinder } from '../../../lib/controllers/binding/index.ts';
import { createHints, relay, wakeBinder } from '../../../lib/coordination/index.ts';
import { withProgress } from '../../../lib/delivery/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { silentLogger, TIMING } from '../../../lib/platform/index.ts';
import { everything, parseSelector } from '../../../lib/selectors/index.ts';
import { ensureBootstrapRoles, ensureSystemNamespaces, openAuthority } from '../../../lib/server/index.ts';
import { WorldCache } from '../../../lib/server/placing/world-cache.ts';
import { PolicyCache } from '../../../lib/server/policies/policy-cache.ts';
import { allotVersion } from '../../../lib/store/head.ts';
import {
  answerWatchRequest,
  budgetKey,
  createStore,
  createWatchCap,
  fillGap,
  type Store,
} from '../../../lib/store/index.ts';
import { objectKey } from '../../../lib/store/keys.ts';
import { AccessDeniedError, Role } from '../../support/template/role.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { nameOf, PODS, QUEUE_PREFIX, type WatchWorld } from '../../support/watch/watch-world.ts';
import { synthesized } from './synthesized.ts';

let template: Template;
beforeAll(async () => {
  template = await synthesized();
});

let memory: MemoryWorld;
let world: WatchWorld;

beforeEach(async () => {
  const roles = { dispatch: new Role(template, 'dispatch'), reconcile: new Role(template, 'reconcile') };
  memory = await createMemoryWorld(1, {
    // Shards are split too with this size.
    groupSize: 1,
    reach: (owner, { table, queues }, within) => ({
      table: roles[owner].table(table),
      queues: roles[owner].queues(queues, (queue) => arnOf(queue, within)),
    }),
  });
  world = memory.world;
});

/** The name of a queue of the world in the template. */
function arnOf(queue: string, { eventQueueUrl, reconcileQueueUrl }: WatchWorld): string {
  if (queue === eventQueueUrl) return 'QueuesEvents';
  if (queue === reconcileQueueUrl) return 'QueuesReconcile';
  return `arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:${queue.slice(queue.indexOf(QUEUE_PREFIX))}`;
}

function storeAs(name: string): Store {
  const { clock, random } = world;
  const fill = new Role(template, 'fill').table(world.table);
  return createStore({
    table: new Role(template, name).table(world.table),
    clock,
    random,
    logger: silentLogger,
    ...(READING.has(name) && {
      filler: { fill: (gap) => fillGap({ table: fill, clock, logger: silentLogger }, { ...gap }) },
    }),
  });
}

const READING = new Set(['read', 'place']);

const hintsAs = (name: string) =>
  createHints({
    queues: new Role(template, name).queues(world.queues, (queue) => arnOf(queue, world)),
    queueUrl: world.eventQueueUrl,
    logger: { ...silentLogger, warn: (message) => world.errors.push(message) },
  });

/** Acts as a writer that died between allotting its resourceVersion and its transaction. */
const die = () => allotVersion(world.table, PODS);

const named = (name: string, labels: Record<string, string> = {}) => ({
  kind: 'Pod',
  metadata: { ...nameOf(name), uid: name, labels },
});

const ownedBy = (name: string) => ({
  kind: 'Pod',
  metadata: { uid: 'owned', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'gone', uid: name }] },
});

describe('the permissions that each function needs', () => {
  it('the role of read suffices to list by every index, fill gaps through fill, and show the progress of a subscription', async () => {
    await world.put('default/a', { app: 'web', tier: 'back' });
    await world.subscribe('sub');
    await memory.pump();
    await world.put('default/b', { app: 'web' });
    await die();
    const store = storeAs('read');
    const list = (selector: string) =>
      memory.clock.during(store.list(PODS, { selector: parseSelector(selector) }));
    expect((await list('app=web')).items).toHaveLength(2);
    expect((await list('tier')).items).toHaveLength(1);
    expect((await list('app!=web')).items).toHaveLength(0);
    await expect(store.raise(PODS, 'settled', 3)).rejects.toThrow();
    const object = await world.subscription('sub');
    if (object === undefined) throw new Error('there is no subscription');
    const table = new Role(template, 'read').table(world.table);
    await expect(withProgress({ table, clock: memory.clock }, object.body)).resolves.toMatchObject({
      status: { position: expect.any(String), lag: { changes: expect.any(Number) } },
    });
  });

  it('the role of write suffices to create, relabel, delete, list, handle failures, and hint', async () => {
    const store = storeAs('write');
    const put = (labels: Record<string, string>) =>
      store.write(PODS, nameOf('default/a'), () => ({ kind: 'put', body: named('default/a', labels) }));
    await put({ app: 'web', tier: 'front' });
    await put({ app: 'api' });
    await die();
    const { items } = await memory.clock.during(store.list(PODS, { selector: parseSelector('app=api') }));
    expect(items).toHaveLength(1);
    await store.write(PODS, nameOf('default/a'), (current) => ({
      kind: 'delete',
      body: current?.body ?? {},
    }));
    await put({ app: 'again' });
    await store.write(PODS, nameOf('default/b'), () => ({ kind: 'put', body: ownedBy('default/a') }));
    for (const name of ['default/a', 'default/b']) {
      await store.write(PODS, nameOf(name), (current) => ({ kind: 'delete', body: current?.body ?? {} }));
    }
    await hintsAs('write').announce(PODS, 5);
    expect(world.errors).toEqual([]);
  });

  it('the role of place suffices to read the world and to follow it after dead writers', async () => {
    const keep = () => new WorldCache({ logger: silentLogger, makeBeside: () => ({ tell: () => {} }) });
    const kept = keep();
    const store = storeAs('place');
    const nodes = async () => (await memory.clock.during(kept.current(store))).world.nodes.present.length;
    expect(await nodes()).toBe(0);
    const node = { kind: 'Node', metadata: { name: 'a', uid: 'a', labels: { disktype: 'ssd' } } };
    const name = { namespace: '', name: 'a' };
    await world.store.write('core/nodes', name, () => ({ kind: 'put', body: node }));
    await die();
    await world.put('default/a', { app: 'web' });
    expect(await nodes()).toBe(1);
    expect(await memory.clock.during(keep().current(store))).toBeDefined();
  });

  it('the role of bind suffices to bind pods, report unbound ones, settle after dead writers, and wake itself', async () => {
    const binding = await synthesized({ placement: true });
    const role = new Role(binding, 'bind');
    const table = role.table(world.table);
    const { clock, random } = world;
    const logger = { ...silentLogger, warn: (message: string) => world.errors.push(message) };
    const queues = role.queues(world.queues, (queue) =>
      queue === 'pods' ? 'QueuesPlacement' : arnOf(queue, world),
    );
    const outside = { table, clock, random, logger };
    const store = createStore(outside);
    const hints = createHints({ queues, queueUrl: world.eventQueueUrl, logger });
    const binder = createBinder({ ...outside, store, hints, schedulerName: 'winnow' });
    const waits = (name: string, spec: object) =>
      world.put(name, { app: 'web' }, { kind: 'Pod', spec: { schedulerName: 'winnow', ...spec } });
    const node = { metadata: { name: 'a', uid: 'a' }, status: { allocatable: { pods: '9' } } };
    await world.put('/default', {}, {}, 'core/namespaces');
    await world.store.write('core/nodes', { namespace: '', name: 'a' }, () => ({ kind: 'put', body: node }));
    await waits('default/a', {});
    await die();
    await waits('default/b', { nodeSelector: { disk: 'ssd' } });
    expect(await memory.clock.during(binder.bind({ waits: true, time: TIMING.placement }))).toBe(true);
    expect((await world.store.get(PODS, nameOf('default/a')))?.body).toMatchObject({
      spec: { nodeName: 'a' },
    });
    await wakeBinder({ queues, queueUrl: 'pods', logger }, 'again').catch((error) => {
      expect(error).not.toBeInstanceOf(AccessDeniedError);
    });
    expect(world.errors).toEqual(['gave up waiting for writers']);
    const head = { pk: 'head#core/pods', sk: 'cursor' };
    await expect(table.update(head, { set: { position: 1 } })).rejects.toThrow(AccessDeniedError);
    await expect(table.delete({ pk: 'object#core/pods', sk: 'default/a' })).rejects.toThrow(
      AccessDeniedError,
    );
  });

  it('the role of relay suffices to send hints and reconcile requests', async () => {
    const { reconcileQueueUrl } = world;
    const { clock } = memory;
    const queues = new Role(template, 'relay').queues(world.queues, (queue) => arnOf(queue, world));
    const relaying = { hints: hintsAs('relay'), queues, reconcileQueueUrl, clock, logger: silentLogger };
    const due = String(clock.now()).padStart(16, '0');
    await relay(relaying, [
      { pk: `journal#${PODS}#2`, sk: '0000000000000002' },
      { pk: 'looks#1', sk: `${due}#dependents#${PODS}#0000000000000005` },
    ]);
    expect(world.errors).toEqual([]);
    expect(await world.queues.drain(world.eventQueueUrl)).toHaveLength(1);
    expect(await world.queues.drain(reconcileQueueUrl)).toHaveLength(1);
  });

  it('the role of reconcile suffices to create the system namespaces in an empty table', async () => {
    const { clock, random } = world;
    await ensureSystemNamespaces({ store: storeAs('reconcile'), clock, random });
    const selector = parseSelector('kubernetes.io/metadata.name=default');
    const { items } = await memory.clock.during(storeAs('read').list('core/namespaces', { selector }));
    expect(items.map(({ name }) => name.name)).toEqual(['default']);
  });

  it('reconcile may create the bootstrap roles, write may change one, and all functions that authorize may read them', async () => {
    const { clock, random } = world;
    await memory.clock.during(ensureBootstrapRoles({ store: storeAs('reconcile'), clock, random }));
    const role = { metadata: { name: 'own', namespace: 'default', uid: 'own' }, rules: [] };
    await storeAs('write').write('rbac.authorization.k8s.io/roles', nameOf('default/own'), () => ({
      kind: 'put',
      body: role,
    }));
    const author = { username: 'system:serviceaccount:default:robot', groups: [], uid: 'robot' };
    for (const name of ['dispatch', 'reconcile']) {
      const target = targetResources.of(PODS);
      if (target === undefined) throw new Error('pods are built in');
      const verdictOf = await memory.clock.during(openAuthority({ clock }).now(storeAs(name), [author]));
      expect(verdictOf({ author, target, namespace: 'default' }).standing).toContain('AuthorGone');
    }
    for (const name of ['read', 'write', 'place', 'dispatch', 'reconcile']) {
      const { policy } = await memory.clock.during(new PolicyCache().current(storeAs(name)));
      expect(policy.rulesOf({ kind: 'Role', name: 'own' }, 'default')).toEqual([]);
      expect(policy.rulesOf({ kind: 'ClusterRole', name: 'view' }, '').length).toBeGreaterThan(5);
    }
  });

  it('the roles of dispatch and reconcile suffice for the whole life of subscriptions, namespaces and journal', async () => {
    const { pump, minutes, clock } = memory;
    await world.put('/default', {}, { spec: { finalizers: ['kubernetes'] } }, 'core/namespaces');
    await world.put('default/a', { app: 'web', tier: 'front' });
    await world.subscribe('all');
    await world.subscribe('web', { labelSelector: 'app=web,tier', queue: { type: 'Standard' } });
    await pump();
    await world.put('default/a', { app: 'api' });
    await die();
    await world.put('default/b', { app: 'web', tier: 'back' });
    await pump();
    world.faults.send = async (url) => (url.includes(QUEUE_PREFIX) ? new Error('the queue refuses') : []);
    await world.put('default/c', { app: 'web', tier: 'back' });
    await pump();
    delete world.faults.send;
    await minutes(20);
    await world.edit('web', { labelSelector: 'tier' });
    await pump();
    await world.queues.delete(await world.queueOf('all'));
    await minutes(20);
    await world.unsubscribe('web');
    await pump();
    await world.put('default/owned', {}, ownedBy('default/a'));
    await minutes(3);
    clock.advance(25 * 3_600_000);
    await minutes(2);
    await world.write('core/namespaces', nameOf('/default'), (current) => ({
      ...current?.body,
      metadata: { ...nameOf('/default'), deletionTimestamp: '2026-01-01T00:00:00Z' },
    }));
    await pump();
    await minutes(2);
    expect(await world.store.get('core/namespaces', nameOf('/default'))).toBeUndefined();
    expect(memory.queues.urls()).toHaveLength(2);
    expect(world.errors).toEqual([]);
    expect(JSON.stringify(world.problems)).not.toContain('may not');
  });
});

describe('the limits of each role', () => {
  it('read cannot write an object, nor allot a resourceVersion, nor write the journal', async () => {
    const store = storeAs('read');
    const write = store.write(PODS, nameOf('default/a'), () => ({ kind: 'put', body: named('default/a') }));
    await expect(write).rejects.toThrow(AccessDeniedError);
    const table = new Role(template, 'read').table(world.table);
    const entry = { pk: `journal#${PODS}#2`, sk: '0000000000000002', type: 'ADDED', body: '{}' };
    await expect(table.put(entry)).rejects.toThrow(AccessDeniedError);
    await expect(store.raise(PODS, 'compacted', 3)).rejects.toThrow(AccessDeniedError);
  });

  it('write cannot move the cursor, nor touch the state of a subscription', async () => {
    const table = new Role(template, 'write').table(world.table);
    const cursor = { pk: `head#${PODS}`, sk: 'cursor' };
    await expect(table.update(cursor, { set: { position: 9 } })).rejects.toThrow(AccessDeniedError);
    await expect(table.get({ pk: `subscriptions#${PODS}`, sk: 'uid' })).rejects.toThrow(AccessDeniedError);
  });

  it('dispatch cannot read or write an object', async () => {
    const store = storeAs('dispatch');
    await expect(store.get(PODS, nameOf('default/a'))).rejects.toThrow(AccessDeniedError);
    await expect(store.list(PODS, { selector: everything })).rejects.toThrow(AccessDeniedError);
  });

  it('reconcile cannot create or delete foreign queues', async () => {
    const name = `${QUEUE_PREFIX}foreign`;
    const url = await world.queues.create(name, { attributes: {}, tags: {} });
    const queues = new Role(template, 'reconcile').queues(world.queues, (queue) => arnOf(queue, world));
    await expect(queues.create(name, { attributes: {}, tags: {} })).rejects.toThrow(AccessDeniedError);
    await expect(queues.delete(url)).rejects.toThrow(AccessDeniedError);
    await expect(queues.delete(world.eventQueueUrl)).rejects.toThrow(AccessDeniedError);
  });
});

it('the role of fill suffices to hold the permits of open watches if they are limited', async () => {
  const counting = await synthesized({ watchesPerUser: 1 });
  const table = new Role(counting, 'fill').table(world.table);
  const { clock, random } = world;
  const ask = (asked: JsonObject) => answerWatchRequest({ table, clock, random, most: 1 }, asked);
  const cap = createWatchCap({ most: 1, random, logger: silentLogger, ask });
  const { signal } = new AbortController();
  const held = await cap.enter('alice', 1_000, signal);
  expect(await cap.enter('alice', 1_000, signal)).toBeUndefined();
  await held?.leave();
  expect(await cap.enter('alice', 1_000, signal)).toBeDefined();
});

describe.each(['read', 'write', 'place', 'issue'])('the role of %s with request budgets', (name) => {
  const counted = () => synthesized({ requestsPerUser: '2/4', serviceAccountTokens: true });

  it('the role suffices to take the tokens of a user until there are none', async () => {
    const table = new Role(await counted(), name).table(world.table);
    const { clock } = world;
    const budget = createRequestBudget({ rate: 2, burst: 4, table, clock, logger: silentLogger });
    const answers = [];
    for (let request = 0; request < 6; request += 1) answers.push(await budget.take('alice'));
    const refused = { retryAfterSeconds: 1 };
    expect(answers).toEqual([undefined, undefined, undefined, undefined, refused, refused]);
  });

  it('the role cannot put, delete or read a budget, or set another attribute', async () => {
    const table = new Role(await counted(), name).table(world.table);
    const key = budgetKey('alice');
    await expect(table.get(key)).rejects.toThrow(AccessDeniedError);
    await expect(table.put({ ...key })).rejects.toThrow(AccessDeniedError);
    await expect(table.delete(key)).rejects.toThrow(AccessDeniedError);
    await expect(table.update(key, { set: { body: '{}' } })).rejects.toThrow(AccessDeniedError);
    await expect(table.update(objectKey(PODS, 'default/a'), { set: { ttl: 1 } })).rejects.toThrow(
      AccessDeniedError,
    );
  });
});
