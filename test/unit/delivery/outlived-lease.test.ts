import { describe, expect, it } from '@jest/globals';
import { LeaseHeldError } from '../../../lib/coordination/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { cursorKey, subscriptionKey, type Table } from '../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { PODS, type WatchWorldOptions } from '../../support/watch/watch-world.ts';

/** Creates a subscription that has reached the head and is not activated yet. */
async function createReady(): Promise<MemoryWorld> {
  const memory = await createMemoryWorld();
  await makeReady(memory, ['sub']);
  expect(await memory.world.rowOf('sub')).toMatchObject({ membership: 'ready' });
  return memory;
}

async function makeReady({ world, queues }: MemoryWorld, names: readonly string[]): Promise<void> {
  for (const name of names) await world.subscribe(name, { start: 'snapshot' });
  const hints = (await queues.drain(world.eventQueueUrl)).map(({ body }) => JSON.parse(body));
  for (const hint of hints) if (hint.collection === SUBSCRIPTIONS) await world.dispatcher.dispatch(hint);
  for (const { body } of await queues.drain(world.reconcileQueueUrl)) {
    await world.reconciler.reconcile(JSON.parse(body));
  }
}

/** Delays the first activation of a world until a cursor was moved. */
function holdFirstAdmission() {
  const held = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  let late: ReturnType<Table['update']> | undefined;
  let isHeld = false;
  let isReleased = false;
  const holding = (table: Table): Table => ({
    ...table,
    async update(key, change) {
      if (change.set?.membership === 'synced' && !isHeld) {
        isHeld = true;
        held.resolve(key.sk);
        late = released.promise.then(() => table.update(key, change));
        return late;
      }
      const isMove = change.set?.position !== undefined && key.pk === cursorKey(PODS).pk;
      if (late === undefined || isReleased || !isMove) return table.update(key, change);
      isReleased = true;
      // This raises the version as if a subscription became ready, so that the states are read again.
      await table.update(key, { add: { members: 1 } });
      const moved = await table.update(key, change);
      released.resolve();
      await late;
      return moved;
    },
  });
  const reach: WatchWorldOptions['reach'] = (owner, outside) =>
    owner === 'dispatch' ? { ...outside, table: holding(outside.table) } : outside;
  return { held: held.promise, reach };
}

describe('a dispatcher whose subscription another one activated', () => {
  it('a dispatcher that cannot send to it does not move the cursor, so that nothing is skipped', async () => {
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

  it('a late activation does not make a subscription miss changes of the other dispatcher', async () => {
    const { held, reach } = holdFirstAdmission();
    const memory = await createMemoryWorld(1, { reach });
    const { world, clock, pump, minutes } = memory;
    await makeReady(memory, ['sub']);
    const late = world.dispatcher.dispatch({ collection: PODS, rv: 1 });
    const uid = await held;

    // So many ready subscriptions come before it that no round would activate it together with them.
    const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
    await makeReady(memory, names);
    const others = await Promise.all(names.map((name) => world.subscription(name)));
    expect(others.filter((other) => (other?.uid ?? '') < uid).length).toBeGreaterThan(25);
    const rv = await world.put('default/a', { app: 'x' });
    clock.advance(60_000);
    await clock.during(world.newDispatcher().dispatch({ collection: PODS, rv }));
    await expect(late).rejects.toThrow(LeaseHeldError);
    await pump();
    await minutes(2);
    expect((await world.consume('sub')).known).toEqual([`default/a@${rv}`]);
  });
});
