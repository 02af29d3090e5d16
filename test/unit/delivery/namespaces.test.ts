import { describe, expect, it } from '@jest/globals';
import { type Collection, isJsonObject } from '../../../lib/json/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { nameOf } from '../../support/watch/watch-world.ts';

const NAMESPACES: Collection = 'core/namespaces';
const TERMINATING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

async function createNamespace({ world }: MemoryWorld, finalizers: string[] = []): Promise<void> {
  const more = { metadata: { finalizers }, spec: { finalizers: ['kubernetes'] } };
  await world.put('/default', {}, more, NAMESPACES);
}

const terminate = ({ world }: MemoryWorld) =>
  world.write(NAMESPACES, nameOf('/default'), (current) => {
    const body = current?.body ?? {};
    return { ...body, metadata: { ...(isJsonObject(body.metadata) ? body.metadata : {}), ...TERMINATING } };
  });

describe('a Terminating namespace', () => {
  it('a Terminating namespace is emptied, including subscriptions and their queues, and removed', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, pump, minutes } = memory;
    await createNamespace(memory);
    await world.put('default/a');
    await world.put('default/settings', {}, {}, 'core/configmaps');
    await world.put('default/web', {}, {}, 'apps/deployments');
    await world.put('elsewhere/a');
    await world.subscribe('sub');
    await pump();
    await terminate(memory);
    await pump();
    await minutes(1);
    expect(await world.store.get(NAMESPACES, nameOf('/default'))).toBeUndefined();
    for (const [collection, name] of [
      ['core/pods', 'default/a'],
      ['core/configmaps', 'default/settings'],
      ['apps/deployments', 'default/web'],
      ['winnow.dev/subscriptions', 'default/sub'],
    ] as const) {
      expect(await world.store.get(collection, nameOf(name))).toBeUndefined();
    }
    expect(await world.store.get('core/pods', nameOf('elsewhere/a'))).toBeDefined();
    expect(queues.urls()).toHaveLength(2);
    expect(world.errors).toEqual([]);
  });

  it('a Terminating namespace waits for objects with finalizers, which are marked once', async () => {
    const memory = await createMemoryWorld();
    const { world, pump, minutes } = memory;
    await createNamespace(memory);
    await world.put('default/held', {}, { metadata: { finalizers: ['example.com/mine'], generation: 4 } });
    await terminate(memory);
    await pump();
    const held = await world.store.get('core/pods', nameOf('default/held'));
    expect(held?.body.metadata).toMatchObject({ deletionTimestamp: expect.any(String), generation: 5 });
    expect(await world.store.get(NAMESPACES, nameOf('/default'))).toBeDefined();
    await minutes(1);
    expect((await world.store.get('core/pods', nameOf('default/held')))?.rv).toBe(held?.rv);

    await world.remove('default/held');
    await minutes(1);
    expect(await world.store.get(NAMESPACES, nameOf('/default'))).toBeUndefined();
  });

  it("a Terminating namespace with foreign finalizers is emptied and drops Winnow's own finalizer", async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    await createNamespace(memory, ['example.com/mine']);
    await world.put('default/a');
    await terminate(memory);
    await pump();
    expect(await world.store.get('core/pods', nameOf('default/a'))).toBeUndefined();
    const namespace = await world.store.get(NAMESPACES, nameOf('/default'));
    expect(namespace?.body).toMatchObject({ metadata: { finalizers: ['example.com/mine'] }, spec: {} });
    expect(namespace?.body.spec).toEqual({});
  });

  it('a Terminating namespace leaves no object that was created while it was emptied', async () => {
    const memory = await createMemoryWorld();
    const { world, clock } = memory;
    await createNamespace(memory);
    await terminate(memory);
    const work = world.reconciler.reconcile({ kind: 'namespace', name: 'default' });
    while (clock.sleepers === 0) await new Promise(setImmediate);
    await world.put('default/late');
    await clock.during(work);
    expect(await world.store.get('core/pods', nameOf('default/late'))).toBeUndefined();
    expect(await world.store.get(NAMESPACES, nameOf('/default'))).toBeUndefined();
  });

  it('a new namespace of the same name is left alone', async () => {
    const memory = await createMemoryWorld();
    const { world, clock } = memory;
    await createNamespace(memory);
    await terminate(memory);
    const work = world.reconciler.reconcile({ kind: 'namespace', name: 'default' });
    while (clock.sleepers === 0) await new Promise(setImmediate);
    await world.remove('/default', NAMESPACES);
    await createNamespace(memory);
    await clock.during(work);
    expect(await world.store.get(NAMESPACES, nameOf('/default'))).toBeDefined();
  });
});

describe('a namespace that is not Terminating', () => {
  it('an active namespace is left alone', async () => {
    const memory = await createMemoryWorld();
    const { world, clock } = memory;
    await createNamespace(memory);
    await world.put('default/a');
    await clock.during(world.reconciler.reconcile({ kind: 'namespace', name: 'default' }));
    expect(await world.store.get('core/pods', nameOf('default/a'))).toBeDefined();
  });
});
