import { beforeEach, describe, expect, it } from '@jest/globals';
import { metadataOf } from '../../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { collections } from '../../../../lib/kubernetes/resource-types/index.ts';
import { CANARY } from '../../../../lib/platform/index.ts';
import { CanaryWorld } from '../../../support/watch/canary-world.ts';

const { namespace, name } = CANARY;
const WELL = { CanarySuccess: 1, CanaryDelay: 0 };

let world: CanaryWorld;
beforeEach(async () => {
  world = await CanaryWorld.create();
});

/** The first beats: the Subscription exists, and its queue received the last beat. */
async function begin(): Promise<void> {
  expect(await world.beat()).toEqual({ measured: { CanarySuccess: 1 }, failed: [] });
  await world.minute();
  expect(await world.beat()).toEqual({ measured: WELL, failed: [] });
  await world.minute();
}

/** Another user changes the Subscription. */
async function editSubscription(change: (body: Record<string, unknown>) => Record<string, unknown>) {
  await world.memory.world.write(
    SUBSCRIPTIONS,
    { namespace, name },
    (current) => change(current?.body ?? {}) as never,
  );
}

describe('A canary of a healthy deployment', () => {
  it('The canary creates its object and its Subscription, and finds the message of each beat at the next beat', async () => {
    await begin();
    for (let beats = 0; beats < 3; beats += 1) {
      expect(await world.beat()).toEqual({ measured: WELL, failed: [] });
      await world.minute();
    }
    expect((await world.object())?.labels).toEqual({ 'winnow.dev/beat': expect.stringMatching(/^\d{13}$/) });
    expect(world.memory.world.errors).toEqual([]);
  });

  it('The canary measures how long the message took to reach its queue', async () => {
    await begin();
    world.delay = 1_234;
    expect((await world.beat()).measured).toEqual({ CanarySuccess: 1, CanaryDelay: 1_234 });
  });

  it('The canary writes only its own collection, which is selected only by its name', async () => {
    await begin();
    const heads = async () => {
      const read = collections.map(async (one) => [one, await world.memory.world.store.head(one)] as const);
      return Object.fromEntries(await Promise.all(read));
    };
    const before = await heads();
    await world.beat();
    await world.minute();
    const after = await heads();
    const { [CANARY.collection]: written = 0, ...others } = before;
    expect(after).toEqual({ ...others, [CANARY.collection]: written + 1 });
  });

  it('The canary recreates its deleted object, and expects no message about the old one', async () => {
    await begin();
    await world.memory.world.remove(`${namespace}/${name}`, CANARY.collection);
    expect(await world.beat()).toEqual({ measured: { CanarySuccess: 1 }, failed: [] });
    await world.minute();
    expect(await world.beat()).toEqual({ measured: WELL, failed: [] });
  });

  it('The canary expects no message if the queues of an earlier run are lost', async () => {
    await begin();
    await world.memory.queues.delete(await world.queueUrl());
    expect(await world.beat(true)).toEqual({ measured: { CanarySuccess: 1 }, failed: [] });
  });
});

describe('The step that a canary reports as failed', () => {
  const failing = (...failed: unknown[]) => ({ measured: { CanarySuccess: 0 }, failed });

  it('The canary reports deliver if dispatch does not run, and the delay once dispatch runs again', async () => {
    await begin();
    await world.beat();
    for (let minutes = 0; minutes < 25; minutes += 1) {
      world.memory.clock.advance(60_000);
      expect(await world.beat()).toEqual(
        failing(
          expect.stringMatching(
            /^deliver: a change of 60 s ago was not delivered: the queue memory:.* has no message for it$/,
          ),
        ),
      );
    }
    await world.minute();
    world.delay = 90_000;
    expect(await world.beat()).toEqual({ measured: { CanarySuccess: 1, CanaryDelay: 90_000 }, failed: [] });
  });

  it('The canary reports deliver if the queue is gone; one minute later there is a new queue', async () => {
    await begin();
    const lost = await world.queueUrl();
    await world.memory.queues.delete(lost);
    expect(await world.beat()).toEqual(failing(`deliver: there is no queue ${lost}`));
    await world.minute();
    expect(await world.beat()).toEqual({ measured: WELL, failed: [] });
    expect(await world.queueUrl()).not.toBe(lost);
  });

  it('The canary reports subscribe if its Subscription is suspended, being deleted or selects something else', async () => {
    await begin();
    await editSubscription((body) => ({
      ...body,
      metadata: { ...metadataOf(body as never), generation: 2 },
      spec: { ...(body.spec as object), suspend: true },
    }));
    await world.minute();
    expect(await world.beat()).toEqual(
      failing(
        'subscribe: the Subscription kube-system/canary is Suspended: delivery is suspended: spec.suspend is true',
      ),
    );
    await editSubscription((body) => ({ ...body, spec: { ...(body.spec as object), labelSelector: 'app' } }));
    expect(await world.beat()).toEqual(
      failing(
        'subscribe: the Subscription kube-system/canary has another labelSelector: delete it, and the canary creates it again',
      ),
    );
    await editSubscription((body) => ({
      ...body,
      metadata: { ...metadataOf(body as never), deletionTimestamp: new Date().toISOString() },
    }));
    expect(await world.beat()).toEqual(
      failing('subscribe: the Subscription kube-system/canary is being deleted'),
    );
    await world.minute();
    expect((await world.beat()).failed).toEqual([]);
    await world.minute();
    expect(await world.beat()).toEqual({ measured: WELL, failed: [] });
  });

  it('The canary reports subscribe if reconcile does nothing', async () => {
    await world.beat();
    expect(await world.beat()).toEqual(
      failing('subscribe: the Subscription kube-system/canary is Pending: it has not been reconciled yet'),
    );
  });

  it('The canary reports read, and no later step, if the table does not answer', async () => {
    await begin();
    world.faults = { get: () => Promise.reject(new Error('the table is silent')) };
    expect(await world.beat()).toEqual(failing('read: the table is silent'));
  });

  it('The canary reports write if its namespace does not exist yet', async () => {
    await world.memory.world.remove(`/${namespace}`, 'core/namespaces');
    expect((await world.beat()).failed).toEqual([
      expect.stringMatching(/^subscribe: namespaces "kube-system" not found/),
      expect.stringMatching(/^write: namespaces "kube-system" not found/),
    ]);
  });

  it('The canary reports only write while only writes fail, and does not wait again for received messages', async () => {
    await begin();
    world.faults = { write: () => Promise.reject(new Error('no room')) };
    expect(await world.beat()).toEqual({
      measured: { ...WELL, CanarySuccess: 0 },
      failed: ['write: no room'],
    });
    await world.minute();
    expect(await world.beat()).toEqual(failing('write: no room'));
    world.faults = {};
    expect((await world.beat()).failed).toEqual([]);
  });

  it('The canary reports deliver and write while both fail', async () => {
    await begin();
    await world.beat();
    world.faults = { write: () => Promise.reject(new Error('no room')) };
    for (let minutes = 0; minutes < 2; minutes += 1) {
      expect((await world.beat()).failed).toEqual([expect.stringMatching(/^deliver: /), 'write: no room']);
    }
  });

  it.each([
    ['is empty', 'empty', []],
    [
      'still has the object as it was',
      'canary of 1',
      [{ name: { namespace, name }, labels: { 'winnow.dev/beat': '1' } }],
    ],
  ])('The canary reports list if that %s', async (_title, found, items) => {
    await begin();
    world.faults = { list: async () => ({ rv: 1, items: items as never }) };
    const { failed, measured } = await world.beat();
    expect(failed).toEqual([expect.stringMatching(`^list: the list is ${found}, and not canary of \\d+$`)]);
    expect(measured.CanarySuccess).toBe(0);
  });
});
