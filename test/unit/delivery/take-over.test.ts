import { describe, expect, it } from '@jest/globals';
import { takeOver } from '../../../lib/delivery/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { cursorKey, placerKey, subscriptionKey } from '../../../lib/store/index.ts';
import { createMemoryWorld } from '../../support/watch/memory-world.ts';
import { PODS } from '../../support/watch/watch-world.ts';

/** Creates a synced subscription. A dead process holds the leases on its row, its collection and the placer. */
async function createLeased() {
  const memory = await createMemoryWorld();
  const { world, clock, pump } = memory;
  await world.subscribe('sub', { start: 'now' });
  await pump();
  const uid = (await world.subscription('sub'))?.uid ?? '';
  expect(await world.rowOf('sub')).toMatchObject({ membership: 'synced' });
  const set = { leaseHolder: 'dead', leaseExpires: clock.now() + 70_000 };
  await world.table.update(cursorKey(PODS), { set });
  await world.table.update(subscriptionKey(PODS, uid), { set });
  await world.table.update(placerKey, { set });
  const options = { table: world.table, collections: [PODS], resources: targetResources };
  return {
    ...memory,
    options,
    leases: () => [world.table.get(cursorKey(PODS)), world.rowOf('sub'), world.table.get(placerKey)],
  };
}

describe('the takeover of a table whose functions all died', () => {
  it('a takeover releases all leases and keeps the subscriptions', async () => {
    const { world, options, leases } = await createLeased();
    await takeOver({ ...options, queuesLost: false });
    for (const row of await Promise.all(leases())) expect(row?.leaseHolder).toBeUndefined();
    expect(await world.rowOf('sub')).toMatchObject({ membership: 'synced', start: 1 });
  });

  it('a takeover restarts the subscriptions if their queues are lost', async () => {
    const { world, options } = await createLeased();
    await takeOver({ ...options, queuesLost: true });
    expect(await world.rowOf('sub')).toMatchObject({
      membership: 'catching-up',
      step: 'difference',
      start: 2,
      queueUrl: '',
      queueName: '',
    });
  });

  it('a takeover restarts only subscriptions that had a queue, and leaves unleased rows untouched', async () => {
    const { world, options } = await createLeased();
    await world.subscribe('young', { start: 'now' });
    await world.handle(() => world.reconciler.tick());
    const uid = (await world.subscription('young'))?.uid ?? '';
    const row = { ...(await world.rowOf('sub')), ...subscriptionKey(PODS, uid), queueUrl: '', start: 1 };
    await world.table.put({ ...row, leaseHolder: undefined, leaseExpires: undefined });
    const untouched: unknown[] = [];
    const update: typeof world.table.update = (key, change) => {
      if (key.sk === uid || key.pk === cursorKey('core/nodes').pk) untouched.push(change);
      return world.table.update(key, change);
    };
    const table = { ...world.table, update };
    await takeOver({ ...options, table, collections: [PODS, 'core/nodes', 'none/such'], queuesLost: true });
    expect(untouched).toEqual([]);
    expect(await world.rowOf('young')).toMatchObject({ membership: 'synced', start: 1 });
  });

  it('a takeover resolves after all writes are done', async () => {
    const { world, options, leases } = await createLeased();
    const later = async () => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    };
    const table = {
      ...world.table,
      update: async (...request: Parameters<typeof world.table.update>) => {
        await later();
        return world.table.update(...request);
      },
    };
    await takeOver({ ...options, table, queuesLost: true });
    for (const row of await Promise.all(leases())) expect(row?.leaseHolder).toBeUndefined();
    expect(await world.rowOf('sub')).toMatchObject({ step: 'difference', start: 2 });
    await world.table.update(cursorKey(PODS), { set: { leaseHolder: 'dead', leaseExpires: 1 } });
    await takeOver({ ...options, table, queuesLost: false });
    expect((await world.table.get(cursorKey(PODS)))?.leaseHolder).toBeUndefined();
  });
});
