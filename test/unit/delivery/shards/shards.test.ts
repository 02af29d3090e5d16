import { describe, expect, it } from '@jest/globals';
import { leastPosition, shardOfUid, takeOver } from '../../../../lib/delivery/index.ts';
import { readShards } from '../../../../lib/delivery/shards/index.ts';
import { withProgress } from '../../../../lib/delivery/subscription-progress.ts';
import { targetResources } from '../../../../lib/kubernetes/resource-types/index.ts';
import { bucketOf, cursorKey } from '../../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { matchingPods } from '../../../support/watch/model.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

const COUNT = 10;
const names = Array.from({ length: COUNT }, (_, index) => `s${index}`);

/** Creates a world with ten subscriptions, and at most two in each shard. */
async function createGroups(): Promise<MemoryWorld> {
  const memory = await createMemoryWorld(1, { groupSize: 2 });
  for (const name of names) await memory.world.subscribe(name, { start: 'snapshot' });
  await memory.pump();
  return memory;
}

async function expectAllKnown({ world }: MemoryWorld): Promise<void> {
  const pods = await matchingPods(world, ({ name }) => name.namespace === 'default');
  for (const name of names) {
    const { known, repeats } = await world.consume(name);
    expect(known).toEqual(pods);
    expect(repeats).toEqual([]);
  }
}

describe('the dispatch shards of a collection', () => {
  it('shards split as subscriptions are added, and each subscription gets each change once', async () => {
    const memory = await createGroups();
    const { world, pump } = memory;
    expect((await readShards(world.table, PODS)).length).toBeGreaterThan(3);
    for (let round = 0; round < 3; round += 1) {
      await world.put(`default/p${round}`, { app: 'x' });
      await pump();
      await world.put('default/p0', { app: `${round}` });
      await pump();
      await expectAllKnown(memory);
    }
    expect(world.errors).toEqual([]);
  });

  it('each shard has its own position, which its subscriptions report', async () => {
    const { world, pump, clock } = await createGroups();
    const rv = await world.put('default/p', { app: 'x' });
    await pump();
    for (const { group, position } of await readShards(world.table, PODS)) {
      expect([group, position]).toEqual([group, rv]);
      await world.table.update(cursorKey(PODS, group), { set: { position: 1_000 + group } });
    }
    const groups = await readShards(world.table, PODS);
    expect(await leastPosition(world, PODS)).toBe(1_000);
    for (const name of names) {
      const { body = {}, uid = '' } = (await world.subscription(name)) ?? {};
      const { status } = await withProgress({ table: world.table, clock }, body);
      expect(status).toMatchObject({ position: `${1_000 + shardOfUid(groups, uid).group}` });
    }
  });

  it('the tick hints shards whose hints were lost', async () => {
    const memory = await createGroups();
    const { world, pump, minutes } = memory;
    await world.put('default/p', { app: 'x' });
    // Only the hint of the first shard gets through.
    world.faults.send = (url, messages) => {
      const groups = messages.map(({ body }) => JSON.parse(body).group ?? 0);
      return url === world.eventQueueUrl && groups.some((group) => group !== 0) ? [0] : undefined;
    };
    await pump();
    expect(new Set((await readShards(world.table, PODS)).map(({ position }) => position)).size).toBe(2);
    delete world.faults.send;
    await minutes(1);
    await expectAllKnown(memory);
  });

  it('a dispatcher from before a split respects the new shards', async () => {
    const { world, pump } = await createMemoryWorld(1, { groupSize: 100 });
    for (const name of names) await world.subscribe(name, { start: 'snapshot', labelSelector: 'app=x' });
    await pump();
    const before = world.dispatcher;
    world.dispatcher = world.newDispatcher(2);
    await world.put('default/a', { app: 'x' });
    await pump();
    expect((await readShards(world.table, PODS)).length).toBeGreaterThan(3);
    const uids = await Promise.all(names.map(async (name) => (await world.subscription(name))?.uid ?? ''));
    const moved = names.filter((_, index) => bucketOf(uids[index] ?? '') >= 32);
    expect(moved).not.toEqual([]);
    for (const name of moved) await world.edit(name, { labelSelector: 'app=y' });
    await pump();
    world.dispatcher = before;
    await world.put('default/b', { app: 'x' });
    await pump();
    for (const name of moved) expect((await world.consume(name)).known).toEqual([]);
    expect(world.errors).toEqual([]);
  });

  it('shardOfUid throws for a uid that no shard covers', () => {
    expect(() => shardOfUid([], 'uid')).toThrow(RangeError);
  });

  it('a hint for a shard without a cursor does nothing', async () => {
    const { world, clock } = await createGroups();
    const rv = await world.put('default/p', { app: 'x' });
    const groups = await readShards(world.table, PODS);
    const none = 1 + Math.max(...groups.map(({ group }) => group));
    await clock.during(world.dispatcher.dispatch({ collection: PODS, group: none, rv }));
    expect(await readShards(world.table, PODS)).toEqual(groups);
  });

  it('a takeover releases the leases of all shards', async () => {
    const { world } = await createGroups();
    const groups = await readShards(world.table, PODS);
    for (const { group } of groups) {
      await world.table.update(cursorKey(PODS, group), { set: { leaseHolder: 'dead', leaseExpires: 1e15 } });
    }
    await takeOver({
      table: world.table,
      collections: [PODS],
      resources: targetResources,
      queuesLost: false,
    });
    for (const { group } of groups) {
      expect((await world.table.get(cursorKey(PODS, group)))?.leaseHolder).toBeUndefined();
    }
  });

  it("several shards of Winnow's own collections send reconcile one request", async () => {
    const memory = await createGroups();
    const { world, queues, pump } = memory;
    const spec = { resource: { group: 'winnow.dev', resource: 'subscriptions' }, start: 'now' };
    for (const name of ['w0', 'w1', 'w2', 'w3']) await world.subscribe(name, spec);
    await pump();
    expect((await readShards(world.table, 'winnow.dev/subscriptions')).length).toBeGreaterThan(1);
    await world.subscribe('more', { start: 'now' });
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await memory.clock.during(world.dispatcher.dispatch(JSON.parse(body)));
    }
    const bodies = (await queues.drain(world.reconcileQueueUrl)).map(({ body }) => JSON.parse(body));
    expect(bodies.filter(({ name }) => name?.name === 'more')).toHaveLength(1);
  });
});
