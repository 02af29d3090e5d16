import { describe, expect, it } from '@jest/globals';
import { type MetricName, TIMING } from '../../../lib/platform/index.ts';
import { headKey } from '../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { nameOf, PODS } from '../../support/watch/watch-world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const values = ({ world }: MemoryWorld, name: MetricName) =>
  world.measured.flatMap(({ metric, value }) => (metric === name ? [value] : []));

const tick = async (memory: MemoryWorld) => {
  memory.world.measured.length = 0;
  await memory.clock.during(memory.world.reconciler.tick());
};

/** A world in which `subscribed` is synced, and no subscription waits for dispatch. */
async function subscribedWorld(): Promise<MemoryWorld> {
  const memory = await createMemoryWorld();
  await memory.world.subscribe('subscribed', { start: 'snapshot' });
  await memory.pump();
  await memory.minutes(1);
  memory.world.measured.length = 0;
  return memory;
}

describe('the metrics of dispatch', () => {
  it('dispatch measures the age of the oldest change that a queue accepted', async () => {
    const memory = await subscribedWorld();
    await memory.world.put('default/a');
    memory.clock.advance(1_500);
    await memory.world.put('default/b');
    memory.clock.advance(200);
    await memory.pump();
    expect(values(memory, 'DispatchLag')).toEqual([1_700]);
    expect(values(memory, 'FailedSends')).toEqual([]);
  });

  it('dispatch and reconcile measure sends that a queue rejects', async () => {
    const memory = await subscribedWorld();
    memory.world.faults.send = (url) => (url.includes('-subscribed-') ? new Error('not now') : undefined);
    await memory.world.put('default/a');
    await memory.pump();
    expect([values(memory, 'FailedSends'), values(memory, 'DispatchLag')]).toEqual([[1], []]);
    memory.clock.advance(MINUTE);
    await tick(memory);
    await memory.pump();
    expect(values(memory, 'FailedSends')).toEqual([1]);
  });
});

describe('the metrics of the tick', () => {
  it('the tick measures the age of the oldest change that dispatch has not passed', async () => {
    const memory = await subscribedWorld();
    await memory.world.put('default/dispatched');
    await memory.pump();
    memory.clock.advance(MINUTE);
    await tick(memory);
    expect(values(memory, 'JournalLag')).toEqual([0]);
    await memory.world.put('default/a');
    memory.clock.advance(MINUTE);
    await memory.world.put('default/b');
    memory.clock.advance(MINUTE);
    await tick(memory);
    expect(values(memory, 'JournalLag')).toEqual([2 * MINUTE]);
    await memory.pump();
    await tick(memory);
    expect(values(memory, 'JournalLag')).toEqual([0]);
  });

  it('the tick measures the age of changes that wait behind an undecided resourceVersion', async () => {
    const memory = await subscribedWorld();
    await memory.world.put('default/a');
    await memory.pump();
    await memory.world.table.update(headKey(PODS), { add: { rv: 2 } });
    await memory.world.put('default/b');
    memory.clock.advance(3 * MINUTE);
    await tick(memory);
    expect(values(memory, 'JournalLag')).toEqual([3 * MINUTE]);
  });

  it('the tick measures the number of subscriptions that catch up', async () => {
    const memory = await subscribedWorld();
    await tick(memory);
    expect(values(memory, 'CatchingUpSubscriptions')).toEqual([0]);
    memory.world.faults.send = (url) => (url.includes('-subscribed-') ? new Error('not now') : undefined);
    await memory.world.put('default/a');
    await memory.pump();
    await tick(memory);
    expect(values(memory, 'CatchingUpSubscriptions')).toEqual([1]);
  });

  it('the tick measures the age of the oldest entry that is not compacted', async () => {
    const memory = await createMemoryWorld();
    await tick(memory);
    expect(values(memory, 'OldestEntryAge')).toEqual([0]);
    await memory.world.put('default/a');
    memory.clock.advance(TIMING.retention - HOUR);
    await memory.world.put('default/b');
    await tick(memory);
    expect(values(memory, 'OldestEntryAge')).toEqual([TIMING.retention - HOUR]);
    memory.clock.advance(2 * HOUR);
    await tick(memory);
    expect(values(memory, 'OldestEntryAge')).toEqual([2 * HOUR]);
  });

  it('the tick measures for how long the oldest GC task has been due', async () => {
    const memory = await createMemoryWorld();
    const { world, clock } = memory;
    await tick(memory);
    expect(values(memory, 'LookLag')).toEqual([0]);
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'nobody', uid: 'gone' };
    await world.put('default/a', {}, { metadata: { ownerReferences: [owner] } });
    clock.advance(HOUR);
    await tick(memory);
    expect(values(memory, 'LookLag')).toEqual([HOUR]);
    await memory.pump();
    await tick(memory);
    expect(values(memory, 'LookLag')).toEqual([0]);
  });
});

describe('the attributes of a message', () => {
  const attributesOf = async (memory: MemoryWorld) => {
    const queue = await memory.world.queueOf('subscribed');
    return (await memory.queues.drain(queue)).map(({ attributes = {} }) => attributes);
  };

  it('a message names the request that made its change, from dispatch and from catching up', async () => {
    const memory = await subscribedWorld();
    const { world, clock, pump } = memory;
    await attributesOf(memory);
    const write = async (auditID: string) => {
      const store = world.store.within(clock.deadline(HOUR), { auditID, user: `\u0001${auditID}` });
      const { after } = await store.write(PODS, nameOf(`default/${auditID}`), () => ({
        kind: 'put',
        body: { metadata: { uid: auditID } },
      }));
      await world.hints.announce(PODS, after?.rv ?? 0);
    };
    await write('dispatched');
    await pump();
    world.faults.send = (url) => (url.includes('-subscribed-') ? new Error('not now') : undefined);
    await write('caught-up-with');
    await pump();
    expect(world.problems).toContainEqual({
      message: 'a subscription fell back to catching up',
      data: expect.objectContaining({ auditID: 'caught-up-with' }),
    });
    world.faults.send = undefined;
    await memory.minutes(1);
    // Characters that SQS would reject are replaced.
    expect((await attributesOf(memory)).map(({ auditID, user }) => [auditID, user])).toEqual([
      ['dispatched', '\uFFFDdispatched'],
      ['caught-up-with', '\uFFFDcaught-up-with'],
    ]);
  });

  it('a message of a snapshot, or of a change without a request, names no request', async () => {
    const memory = await createMemoryWorld();
    await memory.world.put('default/before');
    await memory.world.subscribe('subscribed', { start: 'snapshot' });
    await memory.pump();
    await memory.world.put('default/after');
    await memory.pump();
    const attributes = await attributesOf(memory);
    expect(attributes).toHaveLength(3);
    for (const one of attributes) expect(Object.keys(one).join()).not.toMatch(/auditID|user/);
  });
});
