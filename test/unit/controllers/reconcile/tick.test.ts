import { describe, expect, it } from '@jest/globals';
import { SUBSCRIPTIONS } from '../../../../lib/kubernetes/lifecycle/index.ts';
import {
  cursorKey,
  settledKey,
  subscriptionKey,
  subscriptionsPartition,
} from '../../../../lib/store/index.ts';
import { createMemoryWorld } from '../../../support/watch/memory-world.ts';
import { nameOf, type Outside, PODS } from '../../../support/watch/watch-world.ts';

/** A world that reports which partitions reconcile queries, and which rows it gets. */
async function createQueried() {
  const queried: string[] = [];
  const reach = (_: unknown, { table, queues }: Outside): Outside => ({
    queues,
    table: {
      ...table,
      get: (key) => {
        queried.push(`${key.pk} ${key.sk}`);
        return table.get(key);
      },
      query: (request) => {
        queried.push(request.partition);
        return table.query(request);
      },
    },
  });
  const memory = await createMemoryWorld(1, { reach });
  return {
    ...memory,
    /** How often `work` queried a partition or got a row. */
    async countOf(partition: string, work: () => Promise<unknown>): Promise<number> {
      queried.length = 0;
      await memory.clock.during(work());
      return queried.filter((one) => one === partition).length;
    },
  };
}

/** A subscription to a type that is not served. */
const SPEC = { resource: { group: 'example.com', resource: 'widgets' } };

describe('The tick of reconcile', () => {
  it('The tick reads the states of subscribed collections, and now and then of all collections', async () => {
    const { world, clock, countOf, pump } = await createQueried();
    // Not in a minute in which all collections are checked.
    clock.advance(60_000);
    await world.subscribe('sub');
    await pump();
    const [pods, nodes] = [subscriptionsPartition(PODS), subscriptionsPartition('core/nodes')];
    expect(await countOf(nodes, () => world.reconciler.tick())).toBe(0);
    expect(await countOf(pods, () => world.reconciler.tick())).toBe(1);
    expect(await countOf(nodes, () => world.reconciler.tick({ all: true }))).toBe(1);
  });

  it.each([false, true])(
    'The tick reads nothing for a subscription to a type that is not served, all checked: %s',
    async (all) => {
      const { world, clock, queues, pump } = await createQueried();
      clock.advance(60_000);
      await pump();
      const name = nameOf('default/orphan');
      const body = { kind: 'Subscription', metadata: { ...name, uid: 'u' }, spec: SPEC };
      await world.store.write(SUBSCRIPTIONS, name, () => ({ kind: 'put', body }));
      await clock.during(world.reconciler.tick({ all }));
      const asked = (await queues.drain(world.reconcileQueueUrl)).map(({ body: sent }) => JSON.parse(sent));
      expect(asked).toEqual([]);
    },
  );

  it('The tick sends a hint if a subscription waits for dispatch, also for a collection that was never written', async () => {
    const { world, clock, queues } = await createQueried();
    await world.table.update(cursorKey(PODS), { set: { members: 1 } });
    await clock.during(world.reconciler.tick());
    const hints = (await queues.drain(world.eventQueueUrl)).map(({ body }) => JSON.parse(body));
    expect(hints).toEqual([{ collection: PODS, rv: 0 }]);
  });

  it('The tick compacts every written collection once, however many shards it has', async () => {
    const { world, countOf, pump } = await createQueried();
    await world.put('default/a');
    await pump();
    await world.table.update(cursorKey(PODS), { set: { until: 32 } });
    await world.table.put({ ...cursorKey(PODS, 32), position: 2, until: 64 });
    const [pods, nodes] = [settledKey(PODS), settledKey('core/nodes')];
    expect(await countOf(`${pods.pk} ${pods.sk}`, () => world.reconciler.tick())).toBe(1);
    expect(await countOf(`${nodes.pk} ${nodes.sk}`, () => world.reconciler.tick())).toBe(0);
  });

  it('The tick measures the oldest entry of all collections', async () => {
    const { world, clock, pump } = await createQueried();
    await world.put('default/a');
    clock.advance(5_000);
    await world.put('/node', {}, {}, 'core/nodes');
    await pump();
    clock.advance(1_000);
    await clock.during(world.reconciler.tick());
    expect(world.measured).toContainEqual({ metric: 'OldestEntryAge', value: 6_000 });
  });

  it('The tick measures how far dispatch is behind', async () => {
    const { world, clock } = await createQueried();
    await world.table.update(cursorKey(PODS), { set: { members: 1, seen: 1 } });
    await world.put('default/a');
    await world.put('/node', {}, {}, 'core/nodes');
    clock.advance(1_000);
    await clock.during(world.reconciler.tick());
    expect(world.measured).toContainEqual({ metric: 'JournalLag', value: 1_000 });
  });

  it('The tick logs what subscriptions wait for, if any wait', async () => {
    const { world, clock, pump } = await createQueried();
    await world.subscribe('well');
    await pump();
    await clock.during(world.reconciler.tick());
    expect(world.told.filter(({ message }) => message === 'subscriptions wait')).toEqual([]);
    await world.subscribe('new');
    await world.subscribe('newer');
    await clock.during(world.reconciler.tick());
    expect(world.told.filter(({ message }) => message === 'subscriptions wait')).toEqual([
      {
        message: 'subscriptions wait',
        data: { waiting: 2, of: 3, why: { 'reconcile has not started': 2 } },
      },
    ]);
  });
});

describe('The lookup of declared types by reconcile', () => {
  it('Reconcile looks up declared types only if it needs them', async () => {
    const { world, countOf } = await createQueried();
    const partition = 'collections#declared';
    const { reconciler } = world;
    const subscription = { kind: 'subscription', name: nameOf('default/s'), uid: 'u' } as const;
    const of = (work: Parameters<typeof reconciler.reconcile>[0]) =>
      countOf(partition, () => reconciler.reconcile(work));
    expect(await of({ ...subscription, collection: PODS })).toBe(0);
    expect(await of({ ...subscription, collection: 'example.com/widgets' })).toBe(1);
    expect(await of({ kind: 'namespace', name: 'n' })).toBe(1);
    expect(await of({ kind: 'collect', shard: 0 })).toBe(1);
    expect(await of({ kind: 'definition', name: 'd' })).toBe(0);
    expect(await world.table.get(subscriptionKey(PODS, 'u'))).toBeUndefined();
  });
});
