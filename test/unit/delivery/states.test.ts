import { describe, expect, it } from '@jest/globals';
import { LeaseHeldError } from '../../../lib/coordination/index.ts';
import { cursorKey } from '../../../lib/store/index.ts';
import { WORST_BODY } from '../../support/store/worst-bodies.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { matchingPods } from '../../support/watch/model.ts';
import { PODS } from '../../support/watch/watch-world.ts';

/** Brings a subscription into each of its states. */
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
  it('The subscription applies an edit', async () => {
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

  it('The subscription is deleted with its queue', async () => {
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

  it('The subscription replaces a deleted queue', async () => {
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

describe('A subscription through several states', () => {
  it('A subscription that lost its queue gets a snapshot on the new queue, also if an edit came before it', async () => {
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

  it('A ready subscription is activated by a round in which no change concerns it', async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    await STATES.ready?.(memory);
    const rv = await world.put('default/a', { app: 'y' });
    await pump();
    expect(await world.rowOf('sub')).toMatchObject({ membership: 'synced', position: rv });
  });

  it('A subscription that was activated ahead of the cursor receives nothing twice', async () => {
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

  it('A subscription whose queue rejects is left alone until its backoff is over', async () => {
    const { world, clock, pump } = await createMemoryWorld();
    let sends = 0;
    world.faults.send = (url) => {
      if (!url.includes('-sub-')) return undefined;
      sends += 1;
      // The words differ, as from a service that names the request.
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

  it('A subscription that takes longer than an invocation catches up in several, without a failure', async () => {
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

describe('A backlog of changes', () => {
  it('A backlog that takes longer than an invocation continues in the next, without a failure', async () => {
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
  it('Large changes are sent in rounds that end early, and newly activated subscriptions miss none of them', async () => {
    const memory = await createMemoryWorld();
    const { world, queues } = memory;
    await STATES.ready?.(memory);
    // Each takes about 7 MB of the heap: 17 of them are more than a round may hold.
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

describe('The lease of a dispatcher', () => {
  it('A lease on a collection is respected, and taken over when it has expired', async () => {
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

  it('A lost lease keeps a dispatcher from moving the cursor, and from subscriptions of other processes', async () => {
    const { world, clock, pump } = await createMemoryWorld();
    await world.subscribe('sub');
    await pump();
    const rv = await world.put('default/a');
    let stalled = false;
    world.faults.send = async (url) => {
      if (!url.includes('-sub-') || stalled) return undefined;
      stalled = true;
      // So long that another takes over, whose send fails too; since then reconcile has the subscription.
      clock.standStill(36_000);
      world.faults.send = (other) => (other === url ? new Error('not now') : undefined);
      await world.newDispatcher().dispatch({ collection: PODS, rv });
      return new Error('too late');
    };
    await expect(world.dispatcher.dispatch({ collection: PODS, rv })).rejects.toThrow(LeaseHeldError);
    expect(await world.rowOf('sub')).toMatchObject({ attempt: 1, failure: 'not now', position: rv - 1 });
  });
});
