import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../lib/platform/index.ts';
import { headKey } from '../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { readCursor } from '../../support/watch/read-cursor.ts';
import { PODS } from '../../support/watch/watch-world.ts';

const selecting = (app: string) => ({ start: 'snapshot', selector: { matchLabels: { app } } });

/** Creates a world with a synced subscription. `sentTo` returns the times of sends, in ms of its clock. */
async function createTimed() {
  const memory = await createMemoryWorld();
  const { world, clock, pump } = memory;
  await world.subscribe('bystander', selecting('x'));
  await world.put('default/first', { app: 'z' });
  await pump();
  const sent: { readonly url: string; readonly at: number }[] = [];
  world.faults.send = (url) => void sent.push({ url, at: clock.now() });
  const sentTo = (name: string) => sent.filter(({ url }) => url.includes(`-${name}-`)).map(({ at }) => at);
  return { ...memory, sentTo };
}

/** Starts a write that has allotted its resourceVersion and has not committed. */
async function beginToWrite({ world }: MemoryWorld): Promise<void> {
  await world.table.update(headKey(PODS), { add: { rv: 1 } });
}

describe('dispatch during a slow write', () => {
  it('changes below the open resourceVersion are sent at once, and later ones after it is filled', async () => {
    const life = await createTimed();
    const { world, clock, queues, sentTo } = life;
    const began = clock.now();
    await world.put('default/before', { app: 'x' });
    await beginToWrite(life);
    const rv = await world.put('default/after', { app: 'x' });
    await queues.drain(world.eventQueueUrl);
    await clock.during(world.dispatcher.dispatch({ collection: PODS, rv }));
    const [first = 0, second = 0] = sentTo('bystander');
    expect(first).toBe(began);
    expect(second - began).toBeGreaterThanOrEqual(TIMING.grace);
    expect((await world.consume('bystander')).known).toEqual([
      `default/after@${rv}`,
      `default/before@${rv - 2}`,
    ]);
  });

  it('a subscription that has caught up is activated during a slow write', async () => {
    const life = await createTimed();
    const { world, clock, queues } = life;
    await world.subscribe('new', selecting('y'));
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await world.dispatcher.dispatch(JSON.parse(body));
    }
    for (const { body } of await queues.drain(world.reconcileQueueUrl)) {
      await world.reconciler.reconcile(JSON.parse(body));
    }
    await beginToWrite(life);
    const began = clock.now();
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await world.dispatcher.dispatch(JSON.parse(body));
    }
    expect(await world.rowOf('new')).toMatchObject({ membership: 'synced' });
    expect(clock.now()).toBe(began);
  });

  it('a hint of an earlier change does not wait for the slow write', async () => {
    const life = await createTimed();
    const { world, clock } = life;
    const rv = await world.put('default/before', { app: 'x' });
    await beginToWrite(life);
    const began = clock.now();
    for (let again = 0; again < 2; again += 1) {
      await world.dispatcher.dispatch({ collection: PODS, rv });
      clock.advance(100);
    }
    expect(clock.now()).toBe(began + 200);
    expect(await readCursor(world.table, PODS)).toMatchObject({ position: rv });
  });
});
