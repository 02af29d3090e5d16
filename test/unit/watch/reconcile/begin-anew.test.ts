import { describe, expect, it } from '@jest/globals';
import { subscriptionKey } from '../../../../lib/store/index.ts';
import { ASKED, catching, createReconciling, journal, TAKEN } from '../../../support/watch/reconciling.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

type Life = Awaited<ReturnType<typeof createReconciling>>;

describe('a queue that refuses', () => {
  it('is left alone until its time has come', async () => {
    const life = await createReconciling();
    await life.begun(catching('snapshot', { nextAttempt: life.clock.now() + 1 }));
    await life.reconcile();
    expect(await life.received()).toEqual([]);
    life.clock.advance(1);
    await life.reconcile();
    expect(await life.received()).toEqual(['BOOKMARK']);
  });

  it('to be made is tried again by the schedule', async () => {
    const life = await createReconciling();
    await life.begun(journal(1, { queueUrl: '', failures: 1 }));
    life.faults.before = (name) => {
      if (name === 'makes a queue') throw new Error('not now');
    };
    await life.reconcile();
    expect(await life.row()).toMatchObject({
      failures: 2,
      failure: 'not now',
      nextAttempt: life.clock.now() + 4_000,
      queueUrl: '',
    });
    expect(life.done().slice(1)).toEqual([
      'stores failures failure nextAttempt',
      'writes the object',
      'releases the lease',
    ]);
  });

  it('to be made for who is gone by then is not left behind', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.begun(catching('snapshot', { queueUrl: '', queueName: 'late' }));
    life.faults.before = async (name) => {
      if (name.startsWith('stores queueUrl')) await life.world.table.delete(subscriptionKey(PODS, life.uid));
    };
    await expect(life.reconcile()).rejects.toThrow('is gone');
    expect(life.queues.urls()).not.toContain('memory://late');
  });

  it('to be made for who is gone by then is sent nothing', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1, { queueUrl: '', queueName: 'late' }));
    life.faults.before = async (name) => {
      if (name === 'stores queueUrl') await life.world.table.delete(subscriptionKey(PODS, life.uid));
    };
    await expect(life.reconcile()).rejects.toThrow('is gone');
    expect(life.done().slice(-3, -1)).toEqual(['stores queueUrl', 'deletes the queue']);
  });
});

describe('a subscription that is to begin anew', () => {
  const failure = async ({ row }: Life) => (await row())?.failure;
  const restart = async ({ row }: Life) => (await row())?.restart;

  it('says why: what dispatch was asked for, or that it was edited', async () => {
    const asked = await createReconciling();
    await asked.begun(
      catching('journal', { position: 1, restart: 'the queue is gone', nextAttempt: 2 ** 50 }),
    );
    await asked.reconcile();
    expect(await asked.received()).toEqual(['ERROR the queue is gone; a fresh snapshot follows', 'BOOKMARK']);
    const edited = await createReconciling();
    await edited.begun(journal(1));
    await edited.world.edit('sub', { selector: { matchLabels: { app: 'x' } } });
    await edited.reconcile();
    expect(await edited.received()).toEqual([
      'ERROR the subscription was edited; a fresh snapshot follows',
      'BOOKMARK',
    ]);
    const lost = await createReconciling();
    await lost.begun(journal(1, { queueUrl: 'memory://lost' }));
    lost.faults.before = (name) => {
      if (name === 'makes a queue') throw new Error('not now');
    };
    await lost.reconcile();
    expect(await lost.row()).toMatchObject({ step: 'snapshot', queueUrl: '', start: 2 });
    expect(await failure(lost)).toBe('not now');
  });

  it('asks dispatch for that, once, where it is dispatch’s', async () => {
    for (const membership of ['synced', 'ready']) {
      const life = await createReconciling();
      await life.begun({ membership });
      await life.world.edit('sub', { selector: { matchLabels: { app: 'x' } } });
      await life.reconcile();
      expect(life.done()).toEqual([
        ...[...TAKEN, 'stores restart', ...ASKED],
        ...['writes the object', 'releases the lease'],
      ]);
      expect(await restart(life)).toBe('the subscription was edited');
      await life.reconcile();
      expect(life.done()).toEqual([...TAKEN, 'asks dispatch', 'releases the lease']);
    }
    const lost = await createReconciling();
    await lost.begun({ membership: 'synced', queueUrl: 'memory://lost' });
    await lost.reconcile();
    expect(await restart(lost)).toBe('the queue is gone');
  });
});

describe('the queue is looked for', () => {
  it.each([
    ['synced', false, true],
    ['synced', true, false],
    ['ready', true, true],
    ['ready', false, true],
  ])('of one that is %s, just admitted %s: %s', async (membership, isAdmitted, isLookedFor) => {
    const life = await createReconciling();
    await life.begun({ membership });
    await life.reconcile({ isAdmitted });
    expect(life.done().includes('looks for the queue')).toBe(isLookedFor);
  });
});
