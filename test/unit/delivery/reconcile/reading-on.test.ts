import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../../lib/platform/index.ts';
import { journalKey } from '../../../../lib/store/keys.ts';
import { ASKED, createReconciling, journal, READY, TAKEN, tens } from '../../../support/watch/reconciling.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

type Life = Awaited<ReturnType<typeof createReconciling>>;

const NOTHING = { labelSelector: 'app=none' };

/** Makes the queue reject messages from the nth batch on. */
function refuseFrom({ world }: Life, batch: number): void {
  let sent = 0;
  world.faults.send = (url) => {
    if (!url.includes('sub')) return undefined;
    sent += 1;
    return sent >= batch ? new Error('not now') : undefined;
  };
}

describe('the catch up of reconcile with the journal', () => {
  it('reconcile leaves up to 200 changes to dispatch, and reads on if there are more', async () => {
    const near = await createReconciling();
    await near.write(200);
    await near.begun(journal(1));
    await near.reconcile();
    expect(near.done()).toEqual([...TAKEN, `stores ${READY}`, ...ASKED]);
    const far = await createReconciling();
    await far.write(201);
    await far.begun(journal(1));
    await far.reconcile();
    expect(far.done()).toEqual([
      ...TAKEN,
      ...tens(10),
      'stores position failures',
      `stores ${READY}`,
      ...ASKED,
    ]);
    expect(await far.row()).toMatchObject({ position: 101 });
  });

  it('reconcile sends the rejected messages before it leaves anything to dispatch', async () => {
    const life = await createReconciling();
    await life.write(20);
    await life.begun(journal(1, { failures: 1 }));
    await life.reconcile();
    const sent = [...tens(2), 'stores position failures'];
    expect(life.done()).toEqual([...TAKEN, ...sent, `stores ${READY}`, ...ASKED]);
    expect(await life.row()).toMatchObject({ position: 21, failures: 0 });
  });

  it('reconcile reads the head again when it has come near it', async () => {
    const life = await createReconciling();
    await life.write(201);
    await life.begun(journal(1));
    let isWritten = false;
    life.world.faults.send = async () => {
      if (!isWritten) await life.write(200);
      isWritten = true;
      return undefined;
    };
    await life.reconcile();
    expect(await life.row()).toMatchObject({ position: 301 });
  });

  it('reconcile continues after the messages that a rejecting queue accepted', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1, { attempt: 4, failures: 2 }));
    refuseFrom(life, 3);
    await life.reconcile();
    expect(await life.row()).toMatchObject({
      position: 21,
      attempt: 5,
      failures: 3,
      failure: 'not now',
      nextAttempt: life.clock.now() + 8_000,
    });
    expect(life.world.measured).toContainEqual({ metric: 'FailedSends', value: 1 });
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Failing' });
  });

  it.each([
    ['goes on where the time was over', {}, 'sends 10', 101],
    ['has passed what concerns it not where the time was over', NOTHING, 'stores position failures', 201],
  ])('reconcile %s, at once', async (_, spec, last, position) => {
    const life = await createReconciling(spec);
    await life.write(401);
    await life.begun(journal(1, { attempt: 4, failures: 2 }));
    let left = last === 'sends 10' ? 10 : 1;
    life.faults.before = (name) => {
      if (name === last) left -= 1;
      if (name === last && left === 0) life.clock.advance(TIMING.dispatchSends);
    };
    await life.reconcile({ hops: 7 });
    expect(await life.row()).toMatchObject({
      position,
      attempt: 5,
      failures: 0,
      failure: '',
      nextAttempt: 0,
    });
    expect(life.world.measured).toEqual([]);
    const [asked] = await life.queues.drain(life.world.reconcileQueueUrl);
    expect(asked?.deduplication).toBe(`${life.uid}/late/1/5`);
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ hops: 8 });
    expect(life.done().slice(-4)).toEqual([
      'stores position attempt failures failure nextAttempt',
      'asks reconcile',
      'writes the object',
      'releases the lease',
    ]);
  });

  it('reconcile restarts a subscription whose changes are compacted', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.world.store.raise(PODS, 'settled', 200);
    await life.world.store.raise(PODS, 'compacted', 200);
    for (let rv = 2; rv <= 200; rv += 1) await life.world.table.delete(journalKey(PODS, rv));
    await life.begun(journal(1));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...TAKEN,
      expect.stringMatching(/^stores membership step position start/),
      'writes the object',
      'releases the lease',
    ]);
    const failure = (await life.row())?.failure;
    expect(await life.row()).toMatchObject({ step: 'gone', start: 2, failure: expect.stringMatching(/./) });
    expect(await life.world.statusOf('sub')).toMatchObject({ conditions: [{ message: failure }] });
  });

  it('reconcile fails on any other error', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1));
    await life.world.table.put({ ...journalKey(PODS, 50), type: 'ADDED', labels: 'none' });
    await expect(life.reconcile()).rejects.toThrow(SyntaxError);
  });
});
