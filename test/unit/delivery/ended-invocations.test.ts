import { describe, expect, it } from '@jest/globals';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import {
  cursorKey,
  type Key,
  type ObjectState,
  subscriptionKey,
  type Update,
} from '../../../lib/store/index.ts';
import { createHeldWorld, type HeldWorld } from '../../support/watch/held-world.ts';
import { nameOf, PODS } from '../../support/watch/watch-world.ts';

/**
 * Lambda may freeze the process after the answer. A call that an invocation does not await may then never finish. These
 * tests delay one call at a time, and the invocation must not end before it.
 */
type Holds = (call: string, request: readonly unknown[]) => boolean;

const sendTo =
  (part: string): Holds =>
  (call, [url]) =>
    call === 'queues.sendBatch' && String(url).includes(part);
const releases: Holds = (call, [, change]) =>
  call === 'table.update' && (change as Update).remove?.includes('leaseHolder') === true;

async function subscriptionOf({ world }: HeldWorld): Promise<ObjectState> {
  const object = await world.subscription('sub');
  if (object === undefined) throw new Error('no subscription');
  return object;
}

/** Runs one reconciliation of the subscription, as dispatch requests it. */
async function reconciled(memory: HeldWorld) {
  const { name, uid } = await subscriptionOf(memory);
  return memory.world.reconciler.reconcile({ kind: 'subscription', name, uid, collection: PODS });
}

/** Creates a world with a synced subscription. */
async function createSynced(): Promise<HeldWorld> {
  const memory = await createHeldWorld();
  await memory.world.subscribe('sub', { start: 'snapshot' });
  await memory.pump();
  return memory;
}

describe('the end of a dispatch', () => {
  it('dispatch ends after it released the lease on the collection', async () => {
    const { world, hold, expectToWait } = await createHeldWorld();
    const rv = await world.put('default/a', { app: 'x' });
    hold(releases);
    await expectToWait(world.dispatcher.dispatch({ collection: PODS, rv }));
  });

  it('dispatch ends after it sent the reconcile request', async () => {
    const { world, queues, hold, expectToWait } = await createHeldWorld();
    await world.subscribe('sub');
    const [hint] = await queues.drain(world.eventQueueUrl);
    hold(sendTo('reconcile'));
    await expectToWait(world.dispatcher.dispatch(JSON.parse(hint?.body ?? '')));
  });

  it('dispatch ends after it sent the hint to continue', async () => {
    const { world, clock, hold, expectToWait } = await createSynced();
    for (let count = 0; count < 501; count += 1) {
      const metadata = { ...nameOf(`default/p${count}`), uid: `${count}` };
      await world.store.write(PODS, metadata, () => ({ kind: 'put', body: { metadata } }));
    }
    world.faults.send = (url) => {
      if (url.includes('-sub-')) clock.advance(TIMING.dispatchLastTurn / 40);
      return undefined;
    };
    hold(sendTo('events'));
    const rv = await world.store.head(PODS);
    await expectToWait(world.dispatcher.dispatch({ collection: PODS, rv }));
  });
});

describe('the end of a reconciliation', () => {
  it('reconcile ends after it released the lease on the subscription', async () => {
    const memory = await createHeldWorld();
    await memory.world.subscribe('sub');
    memory.hold(releases);
    await memory.expectToWait(reconciled(memory));
  });

  it('reconcile ends after it sent the hint to activate the subscription', async () => {
    const memory = await createHeldWorld();
    await memory.world.subscribe('sub');
    memory.hold(sendTo('events'));
    await memory.expectToWait(reconciled(memory));
  });

  it('reconcile ends after it marked the cursor for an activation', async () => {
    const memory = await createHeldWorld();
    await memory.world.subscribe('sub');
    memory.hold((call, [key]) => call === 'table.update' && isCursor(key));
    await memory.expectToWait(reconciled(memory));
  });

  it('reconcile ends after it sent the hint again for a waiting subscription', async () => {
    const memory = await createHeldWorld();
    const { world, queues } = memory;
    await world.subscribe('sub');
    await reconciled(memory);
    expect(await world.rowOf('sub')).toMatchObject({ membership: 'ready' });
    await queues.drain(world.eventQueueUrl);
    memory.hold(sendTo('events'));
    await memory.expectToWait(reconciled(memory));
  });

  it('reconcile ends after it sent itself the request to continue', async () => {
    const memory = await createHeldWorld();
    const { world, clock, hold } = memory;
    await world.put('default/a');
    await world.subscribe('sub', { start: 'snapshot' });
    world.faults.send = (url) => {
      if (url.includes('-sub-')) clock.advance(TIMING.dispatchSends);
      return undefined;
    };
    hold(sendTo('reconcile'));
    await memory.expectToWait(reconciled(memory));
  });

  it('reconcile ends after it requested reconciliations for selectors of namespaces', async () => {
    const memory = await createHeldWorld();
    await memory.world.subscribe('sub', { namespaceSelector: {} });
    memory.hold(sendTo('reconcile'));
    await memory.expectToWait(memory.world.reconciler.reconcile({ kind: 'labels', rv: 1 }));
  });

  it('reconcile ends after it deleted the queue of a deleted subscription', async () => {
    const memory = await createHeldWorld();
    const { world, hold } = memory;
    await world.subscribe('sub');
    hold((call, [key, change]) => {
      const stores = call === 'table.update' && (change as Update).set?.queueUrl !== undefined;
      if (stores) void world.table.delete(key as Key);
      return call === 'queues.delete';
    });
    await memory.expectToWait(reconciled(memory).catch(() => {}));
  });

  it('reconcile ends after it cleaned up a subscription that is gone', async () => {
    const held: Holds[] = [
      (call) => call === 'queues.delete',
      (call, [key]) => call === 'table.delete' && JSON.stringify(key).includes('subscriptions#'),
      (call, [key]) => call === 'table.update' && isCursor(key),
    ];
    for (const holds of held) {
      const memory = await createSynced();
      const { name, uid } = await subscriptionOf(memory);
      await memory.world.store.write(SUBSCRIPTIONS, name, (current) => ({
        kind: 'delete',
        body: current?.body ?? {},
      }));
      memory.hold(holds);
      const message = { kind: 'subscription', name, uid, collection: PODS } as const;
      await memory.expectToWait(memory.world.reconciler.reconcile(message));
      expect(await memory.world.table.get(subscriptionKey(PODS, uid))).toBeUndefined();
      expect(memory.queues.urls()).toHaveLength(2);
    }
  });
});

describe('the end of a tick', () => {
  it('the tick ends after it sent the due reconcile requests', async () => {
    const memory = await createSynced();
    memory.hold(sendTo('reconcile'));
    await memory.expectToWait(memory.world.reconciler.tick({ all: true }));
  });

  it('the tick ends after it hinted dispatch where it is behind', async () => {
    const memory = await createSynced();
    const { world, hold, expectToWait } = memory;
    await world.put('default/a');
    hold(sendTo('events'));
    await expectToWait(world.reconciler.tick());
  });
});

function isCursor(key: unknown): boolean {
  return JSON.stringify(key) === JSON.stringify(cursorKey(PODS));
}
