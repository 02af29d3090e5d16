import { describe, expect, it } from '@jest/globals';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import { everything } from '../../../lib/selectors/index.ts';
import { cursorKey, GoneError, headKey, markFollowed } from '../../../lib/store/index.ts';
import { readChanges } from '../../support/store/read-changes.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { nameOf, PODS } from '../../support/watch/watch-world.ts';

const tick = ({ world, clock }: MemoryWorld) => clock.during(world.reconciler.tick());

/** Lets a Subscription have selected pods once. */
const beFollowed = async ({ world }: MemoryWorld) => {
  await world.table.update(cursorKey(PODS), { set: { members: 1, seen: 1 } });
  await markFollowed(world.table, PODS);
};

/** Allots a resourceVersion and never commits it, as a writer does that died. */
const abandon = ({ world }: MemoryWorld) => world.table.update(headKey(PODS), { add: { rv: 1 } });

const QUARTER = 15 * 60_000;

describe('the tick', () => {
  it('The tick hints collections whose cursor is behind the head, every minute, and no others', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, clock, pump } = memory;
    await beFollowed(memory);
    await world.put('default/a');
    await pump();
    await tick(memory);
    expect(await queues.drain(world.eventQueueUrl)).toEqual([]);

    await world.store.write('core/nodes', nameOf('/node'), () => ({ kind: 'put', body: {} }));
    const { after } = await world.store.write(PODS, nameOf('default/b'), () => ({ kind: 'put', body: {} }));
    for (let minute = 0; minute < 2; minute += 1) {
      await tick(memory);
      await tick(memory);
      const bodies = (await queues.drain(world.eventQueueUrl)).map(({ body }) => JSON.parse(body));
      expect(bodies).toEqual([{ collection: PODS, rv: after?.rv }]);
      clock.advance(60_000);
    }
  });

  it('The tick returns when it has something to do again', async () => {
    const memory = await createMemoryWorld();
    const { world, clock, pump } = memory;
    const { table } = world;
    await beFollowed(memory);
    const due = async () => clock.during(world.reconciler.tick());
    await pump();
    clock.advance(TIMING.retention + 1);
    await due();
    expect(await due()).toBe(Number.MAX_SAFE_INTEGER);

    await world.put('default/a');
    const written = clock.now();
    expect(await due()).toBe(clock.now());
    await pump();
    expect(await due()).toBe(written + TIMING.retention);

    const task = { what: 'owners', collection: PODS, name: 'default/a', uid: 'a' };
    await table.put({ pk: 'looks#0', sk: `${String(written + 90_000).padStart(16, '0')}#owners#x`, ...task });
    expect(await due()).toBe(written + 90_000);
    await table.delete({ pk: 'looks#0', sk: `${String(written + 90_000).padStart(16, '0')}#owners#x` });

    await abandon(memory);
    expect(await due()).toBe(clock.now());
  });

  it('With a Subscription, the tick has something to do every quarter of an hour, and at once while it waits', async () => {
    const memory = await createMemoryWorld();
    const { world, clock } = memory;
    const due = async () => clock.during(world.reconciler.tick());
    clock.advance(60_000);
    await world.subscribe('sub');
    expect(await due()).toBe(clock.now());
    await memory.minutes(2);
    expect(await due()).toBe(Math.ceil(clock.now() / QUARTER) * QUARTER);
  });

  it('The tick requests the subscriptions that are due', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, clock, pump } = memory;
    const asked = async () => {
      await tick(memory);
      return (await queues.drain(world.reconcileQueueUrl)).map(({ body }) => JSON.parse(body).name.name);
    };
    clock.advance(60_000);
    await world.subscribe('well');
    await world.subscribe('failing', { start: 'snapshot' });
    await world.put('default/a');
    world.faults.send = (url) => (url.includes('-failing-') ? new Error('not now') : undefined);
    await pump();
    expect(await asked()).toEqual([]);
    clock.advance(60_000);
    expect(await asked()).toEqual(['failing']);

    clock.advance(60_000);
    await clock.during(world.reconciler.tick({ all: true }));
    expect(await queues.drain(world.reconcileQueueUrl)).toHaveLength(2);
  });

  it('The tick does not repeat a request that is on its way, so a backlog does not feed itself', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, clock } = memory;
    const asked = async () => {
      await tick(memory);
      return (await queues.drain(world.reconcileQueueUrl)).map(({ body }) => JSON.parse(body).name.name);
    };
    clock.advance(60_000);
    await world.subscribe('new', { start: 'snapshot' }, clock.now());
    const [hint] = await queues.drain(world.eventQueueUrl);
    await world.dispatcher.dispatch(JSON.parse(hint?.body ?? ''));
    const [message] = await queues.drain(world.reconcileQueueUrl);
    clock.advance(59_000);
    expect(await asked()).toEqual([]);
    clock.advance(1_000);
    expect(await asked()).toEqual(['new']);

    await world.reconciler.reconcile(JSON.parse(message?.body ?? ''));
    expect(await world.rowOf('new')).toMatchObject({ membership: 'ready' });
    clock.advance(60_000);
    await queues.drain(world.eventQueueUrl);
    expect(await asked()).toEqual([]);
    const hints = (await queues.drain(world.eventQueueUrl)).map(({ body }) => JSON.parse(body));
    expect(hints.map(({ collection }) => collection)).toContain(PODS);
    // Its state was stored, and dispatch received no message.
    await world.table.update(cursorKey(PODS), { set: { seen: 1 } });
    clock.advance(60_000);
    expect(await asked()).toEqual(['new']);
  });

  it('The tick requests the cleanup of a subscription that was deleted without reconcile', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, pump } = memory;
    await world.subscribe('forced');
    await pump();
    const queueUrl = await world.queueOf('forced');
    await world.store.write(SUBSCRIPTIONS, nameOf('default/forced'), (current) => ({
      kind: 'delete',
      body: current?.body ?? {},
    }));
    await memory.clock.during(world.reconciler.tick({ all: true }));
    await pump();
    expect(await world.states()).toEqual([]);
    expect(queues.urls()).not.toContain(queueUrl);
  });

  it('The tick checks every subscription once in fifteen minutes, because its queue may be gone', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, clock, pump } = memory;
    await world.subscribe('well');
    await pump();
    const asked = [];
    for (let minute = 0; minute < 30; minute += 1) {
      await tick(memory);
      asked.push((await queues.drain(world.reconcileQueueUrl)).length);
      clock.advance(60_000);
    }
    expect(asked.flatMap((count, minute) => (count > 0 ? [minute] : []))).toEqual([0, 15]);
  });

  it('The tick requests a subscription whose edit or deletion was never reported', async () => {
    const memory = await createMemoryWorld();
    const { world, queues, clock, pump } = memory;
    await world.subscribe('edited');
    await world.subscribe('deleted');
    await pump();
    await world.edit('edited', { selector: { matchLabels: { app: 'x' } } });
    await world.unsubscribe('deleted');
    await clock.during(
      world.dispatcher.dispatch(JSON.parse((await queues.drain(world.eventQueueUrl)).at(-1)?.body ?? '')),
    );
    expect(await queues.drain(world.reconcileQueueUrl)).not.toEqual([]);
    await memory.minutes(1);
    expect(await world.statusOf('edited')).toMatchObject({ phase: 'Synced', observedGeneration: 2 });
    expect(await world.subscription('deleted')).toBeUndefined();
  });

  it('The tick compacts entries that are older than the retention, also without subscriptions', async () => {
    const memory = await createMemoryWorld();
    const { world, clock } = memory;
    for (let index = 0; index < 10; index += 1) await world.put(`default/p${index}`);
    await tick(memory);
    expect(await world.store.watermarks(PODS)).toMatchObject({ compacted: 1 });

    clock.advance(TIMING.retention + 1);
    const young = await world.put('default/young');
    await tick(memory);
    expect(await world.store.watermarks(PODS)).toEqual({
      settled: young - 1,
      compacted: young - 1,
      floor: 1,
    });
    const { items } = await world.store.list(PODS, { selector: everything });
    expect(items).toHaveLength(11);
  });

  it('The tick compacts past gaps of dead writers, but not past gaps that live writers may still commit', async () => {
    const memory = await createMemoryWorld();
    const { world, clock } = memory;
    await world.put('default/a');
    for (let index = 0; index < 5; index += 1) await abandon(memory);
    const old = await world.put('default/b');
    clock.advance(TIMING.retention + 1);
    await abandon(memory);
    await abandon(memory);
    await tick(memory);
    expect(await world.store.watermarks(PODS)).toEqual({ settled: old, compacted: old, floor: 1 });
    await expect(readChanges(world.newStore(), PODS, { upTo: old })).rejects.toThrow(GoneError);
  });
});
