import { describe, expect, it } from '@jest/globals';
import { LeaseHeldError } from '../../../../lib/coordination/index.ts';
import type { ObjectName } from '../../../../lib/json/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import { cursorKey, declareCollection } from '../../../../lib/store/index.ts';
import { createMemoryWorld } from '../../../support/watch/memory-world.ts';
import { readCursor } from '../../../support/watch/read-cursor.ts';
import { nameOf, type Outside, PODS, type WatchWorld } from '../../../support/watch/watch-world.ts';

const NAME: ObjectName = nameOf('default/a');
const put = ({ store }: WatchWorld, name = NAME, collection = PODS) =>
  store.write(collection, name, () => ({
    kind: 'put',
    body: { kind: 'Pod', metadata: { ...name, uid: 'u', labels: { app: 'x' } } },
  }));
const updates = ({ faults }: WatchWorld) => faults.calls.filter((call) => call === 'table.update').length;

describe('a dispatcher', () => {
  it('a dispatcher runs rounds only for declared collections', async () => {
    const { world } = await createMemoryWorld();
    const collection = 'example.com/widgets';
    const { after } = await put(world, NAME, collection);
    const hint = { collection, rv: after?.rv ?? 0 } as const;
    await world.dispatcher.dispatch(hint);
    expect(await readCursor(world.table, collection)).toMatchObject({ position: 0 });
    const declared = { apiVersion: 'example.com/v1', kind: 'Widget', namespaced: true, fields: [], time: 0 };
    await declareCollection(world.table, { collection, ...declared });
    await world.dispatcher.dispatch(hint);
    expect(await readCursor(world.table, collection)).toMatchObject({ position: hint.rv });
  });

  it('a dispatcher runs no round for a covered hint if nothing new was written', async () => {
    const { world, clock } = await createMemoryWorld();
    const rv = await world.put('default/a');
    await world.dispatcher.dispatch({ collection: PODS, rv });
    clock.advance(60_000);
    const before = updates(world);
    await world.dispatcher.dispatch({ collection: PODS, rv });
    await world.newDispatcher().dispatch({ collection: PODS, rv });
    expect(updates(world)).toBe(before);
  });

  it('a dispatcher runs a round for a covered hint if there are changes and no round ran just before', async () => {
    const { world, clock } = await createMemoryWorld();
    const rv = await world.put('default/a');
    await world.dispatcher.dispatch({ collection: PODS, rv });
    const position = async () => (await readCursor(world.table, PODS)).position;
    await put(world);
    clock.advance(99);
    await world.dispatcher.dispatch({ collection: PODS, rv });
    expect(await position()).toBe(rv);
    clock.advance(1);
    await world.dispatcher.dispatch({ collection: PODS, rv });
    expect(await position()).toBe(rv + 1);
    await put(world);
    await world.newDispatcher().dispatch({ collection: PODS, rv });
    expect(await position()).toBe(rv + 2);
  });

  it('a dispatcher waits for a lease that ends in time', async () => {
    const { world, clock } = await createMemoryWorld();
    const rv = await world.put('default/a');
    const leased = (milliseconds: number) =>
      world.table.update(cursorKey(PODS), {
        set: { leaseHolder: 'another', leaseExpires: clock.now() + milliseconds },
      });
    await leased(1_000);
    const began = clock.now();
    await clock.during(world.dispatcher.dispatch({ collection: PODS, rv }));
    expect(clock.now() - began).toBe(1_250);
    expect(await readCursor(world.table, PODS)).toMatchObject({ position: rv });
  });

  it('a dispatcher runs no round for a shard whose row disappears, and does not create the row', async () => {
    const key = cursorKey(PODS, 32);
    let isGone = false;
    const reach = (_: unknown, { table, queues }: Outside): Outside => ({
      queues,
      table: {
        ...table,
        update: async (...request) => {
          if (!isGone) await table.delete(key);
          isGone = true;
          return table.update(...request);
        },
      },
    });
    const { world, clock } = await createMemoryWorld(1, { reach });
    await world.put('default/a');
    await world.table.put({ ...key, members: 1 });
    const turn = world.dispatcher.dispatch({ collection: PODS, group: 32, rv: 0 });
    await expect(clock.during(turn)).rejects.toThrow(LeaseHeldError);
    expect(await world.table.get(key)).toBeUndefined();
  });

  it('a dispatcher gives up on a lease that is held for longer than it may wait', async () => {
    const { world, clock } = await createMemoryWorld();
    const rv = await world.put('default/a');
    await world.table.update(cursorKey(PODS), {
      set: { leaseHolder: 'another', leaseExpires: clock.now() + TIMING.dispatchLease },
    });
    const began = clock.now();
    await expect(clock.during(world.dispatcher.dispatch({ collection: PODS, rv }))).rejects.toThrow(
      'is leased',
    );
    expect(clock.now() - began).toBe(TIMING.dispatchLastTurn);
  });

  it('a dispatcher leaves a long backlog to another invocation', async () => {
    const { world, clock, queues, pump } = await createMemoryWorld();
    await world.subscribe('sub', { start: 'snapshot' });
    await pump();
    for (let count = 0; count < 501; count += 1) await put(world, nameOf(`default/p${count}`));
    const rv = await world.store.head(PODS);
    const cursor = await readCursor(world.table, PODS);
    world.faults.send = (url) => {
      if (url.includes('-sub-')) clock.advance(TIMING.dispatchLastTurn / 40);
      return undefined;
    };
    await world.dispatcher.dispatch({ collection: PODS, rv, hops: 3 });
    const position = cursor.position + 500;
    expect(await readCursor(world.table, PODS)).toMatchObject({ position });
    const [hint] = await queues.drain(world.eventQueueUrl);
    expect(hint).toMatchObject({
      body: JSON.stringify({ collection: PODS, rv, hops: 4 }),
      deduplication: `${PODS}/${rv}/continue/${position}/${cursor.seen}`,
    });
    expect(await world.table.get(cursorKey(PODS))).not.toHaveProperty('leaseHolder', expect.anything());
  });
});
