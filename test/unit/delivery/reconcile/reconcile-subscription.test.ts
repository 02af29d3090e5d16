import { describe, expect, it } from '@jest/globals';
import { EMPTY_DIGEST } from '../../../../lib/delivery/tallies/index.ts';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { subscriptionKey, tallyKey } from '../../../../lib/store/index.ts';
import { createReconciling } from '../../../support/watch/reconciling.ts';
import { metadataOf, nameOf, PODS } from '../../../support/watch/watch-world.ts';

type Life = Awaited<ReturnType<typeof createReconciling>>;

const NAME = nameOf('default/sub');
const WRITTEN = ['writes the object', 'releases the lease'];

const write = ({ world }: Life, metadata: JsonObject) =>
  world.store.write(SUBSCRIPTIONS, NAME, (current) => ({
    kind: 'put',
    body: { ...current?.body, metadata: { ...metadataOf(current), ...metadata } },
  }));
const remove = ({ world }: Life) =>
  world.store.write(SUBSCRIPTIONS, NAME, (current) => ({ kind: 'delete', body: current?.body ?? {} }));

describe('the reconciliation of a subscription', () => {
  it('reconcile creates the missing row of a subscription with a status', async () => {
    const life = await createReconciling();
    await life.begun();
    await life.world.table.delete(subscriptionKey(PODS, life.uid));
    await life.reconcile();
    expect(life.done().slice(0, 3)).toEqual(['takes the lease', 'makes the row', 'makes a queue']);
    expect(await life.row()).toMatchObject({
      membership: 'ready',
      generation: 1,
      queueName: expect.any(String),
    });
  });

  it('reconcile keeps the row of a subscription without a status', async () => {
    const life = await createReconciling();
    await life.reconcile();
    life.done();
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'takes the lease', 'looks for the queue', 'asks dispatch'],
      ...WRITTEN,
    ]);
  });

  it('reconcile leaves a subscription alone that another process has leased', async () => {
    const life = await createReconciling();
    await life.begun({ leaseHolder: 'another', leaseExpires: life.clock.now() + 1_000 });
    await life.reconcile();
    expect(life.done()).toEqual(['takes the lease', 'makes the row']);
    expect(await life.row()).toMatchObject({ leaseHolder: 'another', membership: 'catching-up' });
  });

  it('a subscription without a generation counts as generation 1', async () => {
    const life = await createReconciling();
    await life.world.store.write(SUBSCRIPTIONS, NAME, (current) => {
      const { generation: _generation, ...metadata } = metadataOf(current);
      return { kind: 'put', body: { ...current?.body, metadata } };
    });
    await life.reconcile();
    expect(await life.row()).toMatchObject({ generation: 1 });
    await life.reconcile();
    expect(await life.row()).toMatchObject({ membership: 'ready', recall: '' });
  });

  it('reconcile counts the hops of its hints', async () => {
    const life = await createReconciling();
    const hops = async () =>
      (await life.queues.drain(life.world.eventQueueUrl))
        .map(({ body }) => JSON.parse(body))
        .filter(({ collection }) => collection === PODS)
        .map((hint) => hint.hops);
    await hops();
    await life.reconcile();
    expect(await hops()).toEqual([1]);
    await life.reconcile({ hops: 4 });
    expect(await hops()).toEqual([]);
    await life.world.table.update({ pk: `head#${PODS}`, sk: 'cursor' }, { set: { seen: 1 } });
    await life.reconcile({ hops: 4 });
    expect(await hops()).toEqual([5]);
  });
});

describe('the deletion of a subscription', () => {
  const CLEANED = ['deletes the queue', 'deletes the row', 'raises the members'];

  it('a subscription that is deleted during its creation leaves nothing behind', async () => {
    const life = await createReconciling();
    life.faults.before = async (name) => {
      if (name === 'makes a queue') await remove(life);
    };
    await life.reconcile();
    expect(life.done().slice(-3)).toEqual(CLEANED);
    expect(await life.row()).toBeUndefined();
    expect(life.queues.urls()).toHaveLength(2);
  });

  it('a later deletion leaves the row to the tick, without an extra read', async () => {
    const life = await createReconciling();
    await life.begun({ membership: 'synced' });
    life.faults.before = async (name) => {
      if (name === 'looks for the queue') await remove(life);
    };
    await life.reconcile();
    expect(life.done()).not.toContain('deletes the row');
  });

  it('a deletion removes the queue that the subscription has or should have had', async () => {
    const has = await createReconciling();
    await has.begun({ queueName: 'another' });
    await remove(has);
    await has.reconcile();
    expect(has.done()).toEqual(CLEANED);
    expect(has.queues.urls()).not.toContain(has.queueUrl);

    const had = await createReconciling({ queue: { type: 'Standard' } });
    await had.begun({ queueName: 'sub', queueUrl: '', fifo: false });
    await remove(had);
    await had.reconcile();
    expect(had.done()).toEqual(['makes a queue', ...CLEANED]);
    expect(had.created()).toMatchObject({ MessageRetentionPeriod: '1209600' });
    expect(had.created()).not.toHaveProperty('FifoQueue');

    const fifo = await createReconciling();
    await fifo.begun({ queueName: 'sub', queueUrl: '', fifo: true });
    await remove(fifo);
    await fifo.reconcile();
    expect(fifo.created()).toMatchObject({ FifoQueue: 'true', DeduplicationScope: 'messageGroup' });

    const never = await createReconciling();
    await never.begun({ queueName: '', queueUrl: '' });
    await remove(never);
    await never.reconcile();
    expect(never.done()).toEqual(CLEANED.slice(1));
    await never.reconcile();
    expect(never.done()).toEqual([]);
  });

  it('the deletion of a verified subscription closes its digest before it deletes the row', async () => {
    const life = await createReconciling();
    await life.begun({ tally: EMPTY_DIGEST });
    await remove(life);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['deletes the queue', 'makes the row', 'deletes the row', 'raises the members'],
    ]);
    expect(await life.world.table.get(tallyKey(life.uid))).toMatchObject({ place: '~' });
  });

  it('the deletion keeps a new subscription of the same name', async () => {
    const life = await createReconciling();
    await life.begun();
    await write(life, { uid: 'another' });
    await life.reconcile();
    expect(life.done()).toEqual(CLEANED);
    expect(await life.world.subscription('sub')).toMatchObject({ uid: 'another' });
  });

  it("a deletion removes Winnow's finalizer, and the object disappears with the last finalizer", async () => {
    const marked = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    const held = await createReconciling();
    await held.begun();
    await write(held, { ...marked, finalizers: ['winnow.dev/queue', 'example.com/mine'] });
    await held.reconcile();
    expect(held.done()).toEqual([...CLEANED, 'writes the object']);
    expect((await held.world.subscription('sub'))?.body.metadata).toMatchObject({
      finalizers: ['example.com/mine'],
    });
    await held.reconcile();
    expect(held.done()).toEqual([]);

    const free = await createReconciling();
    await free.begun();
    await write(free, marked);
    await free.reconcile();
    expect(await free.world.subscription('sub')).toBeUndefined();
  });

  it('a deletion removes the finalizer only from the same object', async () => {
    for (const meanwhile of [remove, (life: Life) => write(life, { uid: 'another' })]) {
      const life = await createReconciling();
      await life.begun();
      await write(life, { deletionTimestamp: '2026-01-01T00:00:00Z' });
      life.faults.before = async (name) => {
        if (name === 'raises the members') await meanwhile(life);
      };
      await life.reconcile();
      expect(life.done()).toEqual(CLEANED);
    }
  });
});
