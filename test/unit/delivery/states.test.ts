import { describe, expect, it } from '@jest/globals';
import { LeaseHeldError } from '../../../lib/coordination/index.ts';
import { cursorKey } from '../../../lib/store/index.ts';
import { WORST_BODY } from '../../support/store/worst-bodies.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { matchingPods } from '../../support/watch/model.ts';
import { PODS } from '../../support/watch/watch-world.ts';

/** Functions that bring a subscription into each of its states. */
const STATES: Record<string, (memory: MemoryWorld) => Promise<void>> = {
  'not seen yet': async ({ world }) => {
    await world.subscribe('sub', { start: 'snapshot', selector: { matchLabels: { app: 'x' } } });
  },
  'without a queue': async (memory) => {
    memory.world.faults.crash = (call) => (call === 'queues.create' ? 'before' : undefined);
    await STATES['not seen yet']?.(memory);
    await memory.pump();
    expect(await memory.world.rowOf('sub')).toMatchObject({ membership: 'catching-up', queueUrl: '' });
    memory.clock.advance(100_000);
  },
  'with a queue that nobody knows': async (memory) => {
    memory.world.faults.crash = (call) => (call === 'queues.create' ? 'after' : undefined);
    await STATES['not seen yet']?.(memory);
    await memory.pump();
    expect(await memory.world.rowOf('sub')).toMatchObject({ membership: 'catching-up', queueUrl: '' });
    memory.clock.advance(100_000);
  },
  'catching up': async (memory) => {
    memory.world.faults.send = (url) => (url.includes('-sub-') ? new Error('not now') : undefined);
    await STATES['not seen yet']?.(memory);
    await memory.pump();
    expect(await memory.world.rowOf('sub')).toMatchObject({ membership: 'catching-up', step: 'difference' });
  },
  ready: async (memory) => {
    const { world, queues } = memory;
    await STATES['not seen yet']?.(memory);
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await world.dispatcher.dispatch(JSON.parse(body));
    }
    for (const { body } of await queues.drain(world.reconcileQueueUrl)) {
      await world.reconciler.reconcile(JSON.parse(body));
    }
    expect(await world.rowOf('sub')).toMatchObject({ membership: 'ready' });
  },
  synced: async (memory) => {
    await STATES['not seen yet']?.(memory);
    await memory.pump();
    expect(await memory.world.rowOf('sub')).toMatchObject({ membership: 'synced' });
  },
};

async function calm({ world, clock, pump, minutes }: MemoryWorld): Promise<void> {
  world.faults.send = undefined;
  world.faults.crash = undefined;
  await pump();
  clock.advance(10_000);
  await minutes(3);
}

describe.each(Object.entries(STATES))('a subscription that is %s', (_, bring) => {
  it('an edited subscription ends with the new selection', async () => {
    const memory = await createMemoryWorld();
    const { world } = memory;
    await world.put('default/a', { app: 'x' });
    await world.put('default/b', { app: 'y' });
    await bring(memory);
    await world.edit('sub', { selector: { matchLabels: { app: 'y' } } });
    await world.put('default/c', { app: 'y' });
    await calm(memory);
    expect(await world.statusOf('sub')).toMatchObject({ phase: 'Synced', observedGeneration: 2 });
    expect((await world.consume('sub')).known).toEqual(
      await matchingPods(world, ({ labels }) => labels.app === 'y'),
    );
    expect(memory.queues.urls()).toHaveLength(3);
  });

  it('a deleted subscription disappears with its queue', async () => {
    const memory = await createMemoryWorld();
    const { world } = memory;
    await world.put('default/a', { app: 'x' });
    await bring(memory);
    await world.unsubscribe('sub');
    await calm(memory);
    expect(await world.subscription('sub')).toBeUndefined();
    expect(await world.states()).toEqual([]);
    expect(memory.queues.urls()).toHaveLength(2);
  });

  it('a subscription whose queue is deleted gets a new queue', async () => {
    const memory = await createMemoryWorld();
    const { world, queues } = memory;
    await world.put('default/a', { app: 'x' });
    await bring(memory);
    const [queue] = queues.urls().slice(2);
    if (queue !== undefined) await queues.delete(queue);
    await world.remove('default/a');
    await world.put('default/b', { app: 'x' });
    await calm(memory);
    expect((await world.consume('sub')).known).toEqual(await matchingPods(world, () => true));
    expect(await world.statusOf('sub')).toMatchObject({ phase: 'Synced' });
  });
});

describe('a subscription in a special state', () => {
  it('a subscription that lost its queue gets a snapshot even if it is edited before the new queue exists', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, clock, pump } = memory;
    await world.subscribe('sub');
    await pump();
    await world.put('default/a', { app: 'x' });
    await pump();
    await queues.delete(await world.queueOf('sub'));
    world.faults.crash = (call) => (call === 'queues.create' ? 'before' : undefined);
    await world.put('default/b', { app: 'x' });
    await pump();
    expect(await world.rowOf('sub')).toMatchObject({ step: 'difference', queueUrl: '' });
    world.faults.crash = undefined;
    clock.advance(100_000);
    await world.edit('sub', { selector: { matchLabels: { app: 'x' } } });
    await calm(memory);
    expect((await world.consume('sub')).known).toEqual(await matchingPods(world, () => true));
  });

  it('a ready subscription is activated by a round without matching changes', async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    await STATES.ready?.(memory);
    const rv = await world.put('default/a', { app: 'y' });
    await pump();
    expect(await world.rowOf('sub')).toMatchObject({ membership: 'synced', position: rv });
  });

  it('a subscription that was activated ahead of the cursor gets nothing twice', async () => {
    const { world, queues, pump, clock } = await createMemoryWorld();
    for (let index = 0; index < 1_100; index += 1) {
      await world.put(`default/p${index % 7}`, { round: `${index}` });
    }
    await queues.drain(world.eventQueueUrl);
    await world.subscribe('sub', { start: 'snapshot', queue: { type: 'Standard' } });
    await pump();
    await world.put('default/p0', { round: 'last' });
    await clock.during(world.dispatcher.dispatch({ collection: PODS, rv: 1_102 }));
    const { events } = await world.consume('sub');
    expect(events.map(({ type }) => type)).toEqual([...Array(7).fill('ADDED'), 'BOOKMARK', 'MODIFIED']);
  });

  it('a subscription whose queue rejects messages waits until its next attempt is due', async () => {
    const { world, clock, pump } = await createMemoryWorld();
    let sends = 0;
    world.faults.send = (url) => {
      if (!url.includes('-sub-')) return undefined;
      sends += 1;
      // Each message differs, as the messages of a service that names the request do.
      return new Error(`not now (request ${sends})`);
    };
    await world.put('default/a');
    await world.subscribe('sub', { start: 'snapshot' });
    await pump();
    expect(sends).toBe(1);
    expect((await world.rowOf('sub'))?.nextAttempt).toBe(clock.now() + 2_000);
    clock.advance(2_001);
    await clock.during(world.reconciler.tick());
    await pump();
    expect(sends).toBe(2);
    expect((await world.rowOf('sub'))?.nextAttempt).toBe(clock.now() + 4_000);
  });

  it('a subscription that needs several invocations to catch up counts no failure', async () => {
    const { world, clock, pump } = await createMemoryWorld();
    for (let index = 0; index < 350; index += 1) {
      await world.put(`default/p${String(index).padStart(3, '0')}`);
    }
    world.faults.send = (url) => {
      if (url.includes('-sub-')) clock.advance(1_000);
      return undefined;
    };
    await world.subscribe('sub', { start: 'snapshot' });
    await pump();
    world.faults.send = undefined;
    expect((await world.consume('sub')).known).toEqual(await matchingPods(world, () => true));
    expect(await world.rowOf('sub')).toMatchObject({ membership: 'synced', failures: 0, start: 1 });
    expect(world.errors).toEqual([]);
  });
});

describe('a long backlog', () => {
  it('a backlog that is too long for one invocation continues in the next without a failure', async () => {
    const { world, clock, queues, pump } = await createMemoryWorld();
    await world.subscribe('sub');
    await pump();
    for (let index = 0; index < 1_200; index += 1) await world.put(`default/p${index % 7}`);
    world.faults.send = (url) => {
      if (url.includes('-sub-')) clock.advance(260);
      return undefined;
    };
    const rv = await world.store.head(PODS);
    await queues.drain(world.eventQueueUrl);
    await world.dispatcher.dispatch({ collection: PODS, rv });
    const again = (await queues.drain(world.eventQueueUrl)).map(({ body }) => JSON.parse(body));
    expect(again).toEqual([{ collection: PODS, rv, hops: 1 }]);
    expect((await world.table.get(cursorKey(PODS)))?.position).toBeLessThan(rv);

    await world.dispatcher.dispatch(again[0]);
    await pump();
    world.faults.send = undefined;
    expect((await world.table.get(cursorKey(PODS)))?.position).toBe(rv);
    expect((await world.consume('sub')).known).toEqual(await matchingPods(world, () => true));
  });
});

describe('a backlog of large changes', () => {
  it('large changes are sent in rounds that end early, and newly activated subscriptions miss none', async () => {
    const memory = await createMemoryWorld();
    const { world, queues } = memory;
    await STATES.ready?.(memory);
    // Each change takes about 7 MB of the heap. 17 of them exceed the limit of a round.
    const junk = WORST_BODY;
    const versions: number[] = [];
    for (let index = 0; index < 17; index += 1) {
      versions.push(await world.put(`default/p${index}`, { app: 'x' }, { spec: { junk } }));
    }
    await queues.drain(world.eventQueueUrl);
    const cursors = new Set<unknown>();
    world.faults.send = async (url) => {
      if (url.includes('-sub-')) cursors.add((await world.table.get(cursorKey(PODS)))?.position);
      return undefined;
    };
    await world.dispatcher.dispatch({ collection: PODS, rv: versions.at(-1) ?? 0 });
    expect(cursors.size).toBe(2);
    await memory.pump();
    const changes = (await world.consume('sub')).events.filter(({ type }) => type !== 'BOOKMARK');
    expect(changes.map(({ object }) => Number(object.metadata.resourceVersion))).toEqual(versions);
  });
});

describe('the lease of a collection', () => {
  it('a dispatcher respects the lease on a collection, and takes it over after it expired', async () => {
    const { world, clock, pump } = await createMemoryWorld();
    await world.subscribe('sub');
    await pump();
    const rv = await world.put('default/a');
    world.faults.crash = (call) => (call === 'queues.sendBatch' ? 'before' : undefined);
    await world.handle(() => world.dispatcher.dispatch({ collection: PODS, rv }));
    world.faults.crash = undefined;
    const holder = (await world.table.get(cursorKey(PODS)))?.leaseHolder;
    expect(holder).toEqual(expect.any(String));

    const other = world.newDispatcher();
    await expect(clock.during(other.dispatch({ collection: PODS, rv }))).rejects.toThrow(LeaseHeldError);
    expect((await world.table.get(cursorKey(PODS)))?.leaseHolder).toBe(holder);
    expect((await world.consume('sub')).events).toEqual([]);
    clock.advance(35_000);
    await other.dispatch({ collection: PODS, rv });
    expect((await world.consume('sub')).known).toEqual([`default/a@${rv}`]);
    expect((await world.table.get(cursorKey(PODS)))?.leaseHolder).toBeUndefined();
  });

  it('a dispatcher that lost the lease changes neither the cursor nor subscriptions of others', async () => {
    const { world, clock, pump } = await createMemoryWorld();
    await world.subscribe('sub');
    await pump();
    const rv = await world.put('default/a');
    let stalled = false;
    world.faults.send = async (url) => {
      if (!url.includes('-sub-') || stalled) return undefined;
      stalled = true;
      // The pause is so long that another dispatcher takes over. Its send fails too, and reconcile has the subscription
      // since then.
      clock.standStill(36_000);
      world.faults.send = (other) => (other === url ? new Error('not now') : undefined);
      await world.newDispatcher().dispatch({ collection: PODS, rv });
      return new Error('too late');
    };
    await expect(world.dispatcher.dispatch({ collection: PODS, rv })).rejects.toThrow(LeaseHeldError);
    expect(await world.rowOf('sub')).toMatchObject({ attempt: 1, failure: 'not now', position: rv - 1 });
  });
});
