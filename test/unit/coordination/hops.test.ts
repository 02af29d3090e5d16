import { describe, expect, it } from '@jest/globals';
import { createMemoryWorld } from '../../support/watch/memory-world.ts';
import { PODS } from '../../support/watch/watch-world.ts';

const select = { start: 'snapshot', selector: { matchLabels: { app: 'x' } } };

describe('A chain of messages', () => {
  it('A chain counts the messages that led to each message', async () => {
    const { world, queues } = await createMemoryWorld();
    await world.subscribe('sub', select);
    const [hint] = await queues.drain(world.eventQueueUrl);
    await world.dispatcher.dispatch(JSON.parse(hint?.body ?? ''));
    const [work] = await queues.drain(world.reconcileQueueUrl);
    expect(JSON.parse(work?.body ?? '')).toMatchObject({ hops: 1 });
    await world.reconciler.reconcile(JSON.parse(work?.body ?? ''));
    const hints = (await queues.drain(world.eventQueueUrl)).map(({ body }) => JSON.parse(body));
    expect(hints).toContainEqual({ collection: PODS, rv: 0, hops: 2 });
  });

  it('A chain that is too long is cut and logged, and the schedule continues it', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, minutes } = memory;
    await world.subscribe('sub', select);
    const [hint] = await queues.drain(world.eventQueueUrl);
    await world.dispatcher.dispatch({ ...JSON.parse(hint?.body ?? ''), hops: 100 });
    expect(await queues.drain(world.reconcileQueueUrl)).toEqual([]);
    expect(world.measured).toContainEqual({ metric: 'CutChains', value: 1 });
    expect(world.problems.map(({ message }) => message)).toEqual([
      'a chain of messages was cut; the next tick continues the work',
    ]);
    await minutes(2);
    expect(await world.statusOf('sub')).toMatchObject({ phase: 'Synced' });
  });
});
