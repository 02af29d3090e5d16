import { describe, expect, it } from '@jest/globals';
import { takeOver } from '../../../lib/delivery/index.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { headKey, subscriptionsPartition, type Table } from '../../../lib/store/index.ts';
import { createMemoryWorld } from '../../support/watch/memory-world.ts';
import { readCursor } from '../../support/watch/read-cursor.ts';
import { PODS, type WatchWorld, type WatchWorldOptions } from '../../support/watch/watch-world.ts';

/** Creates a world that counts how often dispatch reads the states of a collection's subscriptions. */
async function createCountingWorld() {
  const reads = { states: 0 };
  const counting = (table: Table): Table => ({
    ...table,
    query: (request, signal) => {
      if (request.partition === subscriptionsPartition(PODS)) reads.states += 1;
      return table.query(request, signal);
    },
  });
  const reach: WatchWorldOptions['reach'] = (owner, outside) =>
    owner === 'dispatch' ? { ...outside, table: counting(outside.table) } : outside;
  const memory = await createMemoryWorld(1, { reach });
  return { ...memory, reads };
}

const selecting = (app: string) => ({ start: 'snapshot', selector: { matchLabels: { app } } });

/** Drains the hints of the event queue and returns those of one collection. */
async function hintsIn({ world }: { world: WatchWorld }, collection: Collection): Promise<string[]> {
  const hints = await world.queues.drain(world.eventQueueUrl);
  return hints.map(({ body }) => body).filter((body) => JSON.parse(body).collection === collection);
}

describe('The activation of many subscriptions at once', () => {
  const COUNT = 1_000;

  it('dispatch activates 1,000 new subscriptions in few rounds, for few hints', async () => {
    const memory = await createCountingWorld();
    const { world, queues, clock, reads, pump } = memory;
    await world.subscribe('bystander', selecting('x'));
    await pump();
    for (let index = 0; index < COUNT; index += 1) await world.subscribe(`s${index}`, selecting(`${index}`));
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await clock.during(world.dispatcher.dispatch(JSON.parse(body)));
    }
    for (const { body } of await queues.drain(world.reconcileQueueUrl)) {
      await clock.during(world.reconciler.reconcile(JSON.parse(body)));
    }

    const hints = await hintsIn(memory, PODS);
    expect(hints).toHaveLength(1);
    reads.states = 0;
    await clock.during(world.dispatcher.dispatch(JSON.parse(hints[0] ?? '')));
    expect(reads.states).toBeLessThanOrEqual(3);
    expect(await hintsIn(memory, PODS)).toEqual([]);
    await pump();
    const phases = await Promise.all([0, 500, COUNT - 1].map((index) => world.statusOf(`s${index}`)));
    expect(phases.map((status) => status?.phase)).toEqual(['Synced', 'Synced', 'Synced']);
    expect(world.errors).toEqual([]);
  });

  it.each(['now', 'snapshot'])('a new subscription from %s takes few calls', async (start) => {
    const { world, pump } = await createMemoryWorld();
    await world.subscribe('bystander', { start, selector: { matchLabels: { app: 'x' } } });
    for (let index = 0; index < 20; index += 1) await world.put(`default/p${index}`, { app: 'x' });
    await pump();
    const callsFor = async (count: number) => {
      const from = world.faults.calls.length;
      const names = Array.from({ length: count }, (_, index) => `s${from}-${index}`);
      for (const app of names) await world.subscribe(app, { start, selector: { matchLabels: { app } } });
      await pump();
      for (const name of names) expect(await world.statusOf(name)).toMatchObject({ phase: 'Synced' });
      const calls = world.faults.calls.slice(from);
      const writes = calls.filter((call) => /^table\.(put|update|transact)$/.test(call));
      return { all: calls.length / count, writes: writes.length / count };
    };
    const [few, many] = [await callsFor(20), await callsFor(200)];
    // Concurrent reconciliations share batched reads of single rows.
    expect(many.all).toBeLessThan(27);
    expect(many.writes).toBeLessThan(10);
    expect(many.all).toBeLessThanOrEqual(few.all + 0.5);
  });

  it('a subscription that lost its queue takes few calls until it is synced again', async () => {
    const { world, clock, pump } = await createMemoryWorld();
    const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
    for (const app of names) await world.subscribe(app, selecting(app));
    await pump();
    const from = world.faults.calls.length;
    const { table } = world;
    await takeOver({ table, collections: [PODS], resources: targetResources, queuesLost: true });
    await clock.during(world.reconciler.tick({ all: true }));
    await pump();
    for (const name of names) expect(await world.statusOf(name)).toMatchObject({ phase: 'Synced' });
    const calls = world.faults.calls.slice(from);
    expect(calls.length / names.length).toBeLessThan(25);
    // Only the status is written in a transaction, once for each subscription.
    expect(calls.filter((call) => call === 'table.transact')).toHaveLength(names.length);
  });

  it('activating new subscriptions does not delay an event of a synced one', async () => {
    const { world, queues, pump } = await createMemoryWorld();
    await world.subscribe('bystander', selecting('x'));
    await pump();
    const sent: string[] = [];
    world.faults.send = (url) => void sent.push(url);
    for (let index = 0; index < 20; index += 1) await world.subscribe(`s${index}`, selecting('x'));
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await world.dispatcher.dispatch(JSON.parse(body));
    }
    for (const { body } of await queues.drain(world.reconcileQueueUrl)) {
      await world.reconciler.reconcile(JSON.parse(body));
    }
    sent.length = 0;
    await world.put('default/p', { app: 'x' });
    await pump();
    expect(sent.filter((url) => url.includes('winnow-subscription-'))[0]).toBe(
      await world.queueOf('bystander'),
    );
  });
});

describe('a dispatch round', () => {
  it('a dispatch round reads no states if none changed, and a new dispatcher reads them once', async () => {
    const { world, clock, reads, pump } = await createCountingWorld();
    for (const name of ['a', 'b', 'c']) await world.subscribe(name, selecting(name));
    await pump();
    const write = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        await world.put(`default/p${index}`, { app: 'b' });
        await pump();
      }
    };
    await write(1);
    // The round reads again one grace later, because an abandoned request may have arrived after the first read.
    clock.advance(10_000);
    await write(1);
    reads.states = 0;
    await write(20);
    expect(reads.states).toBe(0);
    world.dispatcher = world.newDispatcher();
    await write(5);
    expect(reads.states).toBe(1);
    await world.unsubscribe('a');
    await pump();
    await write(1);
    expect(reads.states).toBe(2);
    expect((await world.consume('b')).known).toHaveLength(20);
  });
});

describe('a write whose hint lies behind a backlog of them', () => {
  it('the next hint delivers the write, although an earlier round covered that hint; the rest start no round', async () => {
    const { world, clock, queues, pump } = await createCountingWorld();
    await world.subscribe('bystander', selecting('x'));
    await pump();
    for (let index = 0; index < 50; index += 1) await world.put(`default/p${index}`, { app: 'x' });
    const [first, ...backlog] = await queues.drain(world.eventQueueUrl);
    await world.dispatcher.dispatch(JSON.parse(first?.body ?? ''));
    expect((await world.consume('bystander')).known).toHaveLength(50);
    await world.put('default/late', { app: 'x' });
    clock.advance(100);
    const from = world.faults.calls.length;
    for (const { body } of backlog.slice(0, 20)) await world.dispatcher.dispatch(JSON.parse(body));
    expect((await world.consume('bystander')).known).toHaveLength(51);
    const updates = world.faults.calls.slice(from).filter((call) => call === 'table.update');
    // The updates take the lease, and move the cursor together with releasing the lease.
    expect(updates).toHaveLength(2);
  });
});

describe('a subscription that catches up', () => {
  it('reconcile hands a subscription to dispatch although a write follows each read of the head', async () => {
    const reach: WatchWorldOptions['reach'] = (owner, outside, world) => {
      if (owner !== 'reconcile') return outside;
      let writes = 0;
      const get: Table['get'] = async (key, signal) => {
        if (key.pk === headKey(PODS).pk && key.sk === headKey(PODS).sk && writes < 500) {
          writes += 1;
          await world.put(`default/p${writes % 3}`, { app: 'x' });
        }
        return outside.table.get(key, signal);
      };
      return { ...outside, table: { ...outside.table, get } };
    };
    const { world, pump } = await createMemoryWorld(1, { reach });
    await world.subscribe('slow', selecting('x'));
    await pump();
    expect(await world.statusOf('slow')).toMatchObject({ phase: 'Synced' });
    expect(await world.store.head(PODS)).toBeLessThan(20);
  });

  it('a repeated reconciliation hints dispatch again without making it read the states again', async () => {
    const memory = await createCountingWorld();
    const { world, queues } = memory;
    await world.subscribe('patient', selecting('x'));
    for (const { body } of await queues.drain(world.eventQueueUrl)) {
      await world.dispatcher.dispatch(JSON.parse(body));
    }
    const [message] = await queues.drain(world.reconcileQueueUrl);
    for (let look = 0; look < 5; look += 1) await world.reconciler.reconcile(JSON.parse(message?.body ?? ''));
    expect(await readCursor(world.table, PODS)).toMatchObject({ members: 1, seen: 0 });
    expect(await hintsIn(memory, PODS)).toHaveLength(1);
  });
});
