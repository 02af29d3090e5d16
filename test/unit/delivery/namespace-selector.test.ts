import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { PODS } from '../../support/watch/watch-world.ts';

const PINK: JsonObject = { namespaceSelector: { matchLabels: { team: 'pink' } } };

/** Creates pods in the namespaces of teams, and a subscription to those of one team. */
async function createTeams(more: JsonObject = { start: 'snapshot' }) {
  const memory: MemoryWorld = await createMemoryWorld();
  const { world, pump, queues } = memory;
  const label = (namespace: string, team: string) => world.put(`/${namespace}`, { team }, {}, NAMESPACES);
  await label('alpha', 'pink');
  await label('beta', 'blue');
  await label('gamma', 'pink');
  for (const name of ['alpha/a', 'beta/b', 'beta/c', 'gamma/g']) await world.put(name, { app: 'x' });
  await world.subscribe('sub', { ...PINK, ...more });
  await pump();
  /** The events since the last call, for example `ADDED alpha/a`. */
  const told = async () =>
    (await queues.drain(await world.queueOf('sub'))).map(({ body }) => {
      const { type, object } = JSON.parse(body);
      const { namespace, name = '' } = object.metadata;
      return namespace === undefined ? type : `${type} ${namespace}/${name}`;
    });
  return { ...memory, label, told };
}

describe('the namespaceSelector of a Subscription', () => {
  it('a namespaceSelector selects the objects of the namespaces whose labels match', async () => {
    const { world, pump, told } = await createTeams();
    expect(await told()).toEqual(['ADDED alpha/a', 'ADDED gamma/g', 'BOOKMARK']);
    await world.put('beta/b', { app: 'y' });
    await world.put('gamma/g', { app: 'y' });
    await pump();
    expect(await told()).toEqual(['MODIFIED gamma/g']);
    expect((await world.statusOf('sub')).conditions).toContainEqual(
      expect.objectContaining({
        type: 'NamespacesFollowed',
        status: 'True',
        message: 'selected: alpha, gamma',
      }),
    );
  });

  it('a namespaceSelector follows labels: entering objects are ADDED, leaving ones are DELETED, nothing else is sent', async () => {
    const { label, pump, told } = await createTeams();
    await told();
    await label('beta', 'pink');
    await pump();
    expect(await told()).toEqual(['ADDED beta/b', 'ADDED beta/c', 'BOOKMARK']);
    await label('alpha', 'blue');
    await pump();
    expect(await told()).toEqual(['DELETED alpha/a', 'BOOKMARK']);
    await label('alpha', 'green');
    await pump();
    expect(await told()).toEqual([]);
  });

  it('a namespaceSelector follows new and deleted namespaces, empty or not', async () => {
    const { world, label, pump, told } = await createTeams();
    await told();
    await label('delta', 'pink');
    await pump();
    expect(await told()).toEqual(['BOOKMARK']);
    await world.put('delta/d', {});
    await pump();
    expect(await told()).toEqual(['ADDED delta/d']);
    await world.remove('delta/d');
    await world.remove('/delta', NAMESPACES);
    await pump();
    expect(await told()).toEqual(['DELETED delta/d', 'BOOKMARK']);
    expect(await world.rowOf('sub')).toMatchObject({ namespaces: '["alpha","gamma"]' });
  });

  it('a namespaceSelector can be edited like any other selection', async () => {
    const { world, pump, told } = await createTeams();
    await told();
    await world.edit('sub', { namespaceSelector: { matchLabels: { team: 'blue' } } });
    await pump();
    expect(await told()).toEqual([
      ...['DELETED alpha/a', 'ADDED beta/b', 'ADDED beta/c', 'DELETED gamma/g', 'BOOKMARK'],
    ]);
    await world.edit('sub', { namespaceSelector: null, namespaces: 'All' });
    await pump();
    expect(await told()).toEqual(['ADDED alpha/a', 'ADDED gamma/g', 'BOOKMARK']);
    await world.edit('sub', { namespaceSelector: {}, namespaces: null });
    await pump();
    expect(await told()).toEqual(['BOOKMARK']);
  });

  it('the tick applies a change of labels whose message was lost', async () => {
    const { world, label, pump, told, minutes } = await createTeams();
    await told();
    world.faults.send = (url) => (url.includes('reconcile') ? new Error('not now') : undefined);
    await label('beta', 'pink');
    await pump();
    world.faults.send = undefined;
    expect(await told()).toEqual([]);
    await minutes(1);
    expect(await told()).toEqual(['ADDED beta/b', 'ADDED beta/c', 'BOOKMARK']);
    await minutes(1);
    expect(await told()).toEqual([]);
  });

  it('other changes of a namespace, or labels that no subscription uses, cost nothing', async () => {
    const { world, pump, queues, label } = await createTeams();
    const sent = async () =>
      (await queues.drain(world.reconcileQueueUrl)).map(({ body }) => JSON.parse(body).kind);
    await world.put('/beta', { team: 'blue' }, { spec: { finalizers: ['x'] } }, NAMESPACES);
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await world.dispatcher.dispatch(JSON.parse(body));
    }
    expect(await sent()).toEqual([]);
    await world.edit('sub', { namespaceSelector: null });
    await pump();
    await label('beta', 'pink');
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await world.dispatcher.dispatch(JSON.parse(body));
    }
    expect(await sent()).toEqual(['labels']);
    await world.reconciler.reconcile({ kind: 'labels', rv: 9 });
    expect(await sent()).toEqual([]);
  });

  it('reconcile requests only subscriptions that the labels concern, and counts the hops', async () => {
    const { world, queues, label } = await createTeams();
    await world.subscribe('blue', { namespaceSelector: { matchLabels: { team: 'blue' } } });
    const { name, uid } = (await world.subscription('sub')) ?? {};
    const asked = async () => {
      await world.reconciler.reconcile({ kind: 'labels', rv: 9, hops: 2 });
      return (await queues.drain(world.reconcileQueueUrl)).map(({ body }) => JSON.parse(body));
    };
    // Reconcile has not started with it.
    expect(await asked()).toMatchObject([{ name: { name: 'blue' }, hops: 3 }]);
    await world.unsubscribe('blue');
    await label('delta', 'green');
    expect(await asked()).toEqual([]);
    await label('beta', 'pink');
    expect(await asked()).toEqual([{ kind: 'subscription', name, uid, collection: PODS, hops: 3 }]);
  });

  it('a selector of too many namespaces reports it, and keeps the namespaces of before', async () => {
    const { world, label, pump, told, minutes } = await createTeams();
    await told();
    for (let at = 0; at < 499; at += 1) await label(`n${at}`, 'pink');
    await pump();
    await world.put('gamma/g', { app: 'z' });
    await pump();
    expect((await told()).filter((event) => event !== 'BOOKMARK')).toEqual(['MODIFIED gamma/g']);
    expect((await world.statusOf('sub')).conditions).toContainEqual(
      expect.objectContaining({
        type: 'NamespacesFollowed',
        status: 'False',
        reason: 'TooMany',
        message: 'spec.namespaceSelector selects 501 namespaces; the limit is 500',
      }),
    );
    await label('alpha', 'blue');
    await pump();
    expect(await told()).toEqual(['DELETED alpha/a', 'BOOKMARK']);
    await minutes(1);
    expect(await told()).toEqual([]);
  });
});
