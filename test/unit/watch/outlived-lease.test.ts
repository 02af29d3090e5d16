import { describe, expect, it } from '@jest/globals';
import { cursorKey, subscriptionKey } from '../../../lib/store/index.ts';
import { LeaseHeldError } from '../../../lib/watch/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { PODS } from '../../support/watch/watch-world.ts';

/** A subscription that has met the head, and is not admitted yet. */
async function createReady(): Promise<MemoryWorld> {
  const memory = await createMemoryWorld();
  const { world, queues } = memory;
  await world.subscribe('sub', { start: 'snapshot' });
  for (const { body } of await queues.drain(world.eventQueueUrl)) {
    await world.dispatcher.dispatch(JSON.parse(body));
  }
  for (const { body } of await queues.drain(world.reconcileQueueUrl)) {
    await world.reconciler.reconcile(JSON.parse(body));
  }
  expect(await world.rowOf('sub')).toMatchObject({ membership: 'ready' });
  return memory;
}

describe('a dispatcher whose subscription another one admitted meanwhile', () => {
  it('leaves the cursor where it is when it cannot send, so that nothing is skipped', async () => {
    const memory = await createReady();
    const { world, clock, pump, minutes } = memory;
    const rv = await world.put('default/a', { app: 'x' });
    const uid = (await world.subscription('sub'))?.uid ?? '';
    world.faults.send = async (url) => {
      if (!url.includes('-sub-')) return undefined;
      world.faults.send = undefined;
      await world.table.update(subscriptionKey(PODS, uid), { set: { membership: 'synced' } });
      return new Error('not now');
    };

    const turn = world.dispatcher.dispatch({ collection: PODS, rv });
    await expect(turn).rejects.toThrow(LeaseHeldError);
    const cursor = await world.table.get(cursorKey(PODS));
    expect(Number(cursor?.position ?? 0)).toBeLessThan(rv);

    clock.advance(10_000);
    await pump();
    await minutes(2);
    expect((await world.consume('sub')).known).toEqual([`default/a@${rv}`]);
  });
});
