import { describe, expect, it } from '@jest/globals';
import { subscriptionKey } from '../../../../lib/store/index.ts';
import {
  ASKED,
  catching,
  createReconciling,
  journal,
  READY,
  TAKEN,
} from '../../../support/watch/reconciling.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

type Life = Awaited<ReturnType<typeof createReconciling>>;

describe('a queue that rejects messages or cannot be created', () => {
  it('a queue is not tried before its next attempt is due', async () => {
    const life = await createReconciling();
    await life.begun(catching('difference', { nextAttempt: life.clock.now() + 1 }));
    await life.reconcile();
    expect(await life.received()).toEqual([]);
    life.clock.advance(1);
    await life.reconcile();
    expect(await life.received()).toEqual(['BOOKMARK']);
  });

  it('a queue that could not be created is tried again by the tick', async () => {
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

  it('the new queue of a subscription that was deleted meanwhile is deleted', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.begun(catching('difference', { queueUrl: '', queueName: 'late' }));
    life.faults.before = async (name) => {
      if (name.startsWith('stores queueUrl')) await life.world.table.delete(subscriptionKey(PODS, life.uid));
    };
    await expect(life.reconcile()).rejects.toThrow('is gone');
    expect(life.queues.urls()).not.toContain('memory://late');
  });

  it('the new queue of a subscription that was deleted meanwhile receives nothing', async () => {
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

describe('the restart of a subscription by reconcile', () => {
  const failure = async ({ row }: Life) => (await row())?.failure;
  const recall = async ({ row }: Life) => (await row())?.recall;

  it('a restart gives its reason', async () => {
    const late = await createReconciling();
    await late.begun(catching('gone', { position: 0, failure: 'it stood still' }));
    await late.reconcile();
    expect(await late.received()).toEqual(['ERROR it stood still; a fresh snapshot follows', 'BOOKMARK']);
    const lost = await createReconciling();
    await lost.begun(journal(1, { queueUrl: 'memory://lost' }));
    lost.faults.before = (name) => {
      if (name === 'makes a queue') throw new Error('not now');
    };
    await lost.reconcile();
    expect(await lost.row()).toMatchObject({ step: 'difference', queueUrl: '', start: 2 });
    expect(await failure(lost)).toBe('not now');
  });

  it('reconcile recalls a subscription from dispatch before a restart, and only once', async () => {
    for (const membership of ['synced', 'ready']) {
      const life = await createReconciling();
      await life.begun({ membership });
      await life.world.edit('sub', { selector: { matchLabels: { app: 'x' } } });
      await life.reconcile();
      expect(life.done()).toEqual([
        ...[...TAKEN, 'stores recall', ...ASKED],
        ...['writes the object', 'releases the lease'],
      ]);
      expect(await recall(life)).toBe('the subscription was edited');
      await life.reconcile();
      expect(life.done()).toEqual([...TAKEN, 'asks dispatch', 'releases the lease']);
    }
    const lost = await createReconciling();
    await lost.begun({ membership: 'synced', queueUrl: 'memory://lost' });
    await lost.reconcile();
    expect(await recall(lost)).toBe('the queue is gone');
  });
});

describe('a subscription that was edited', () => {
  it('an edited subscription that selects the same stays with dispatch', async () => {
    const life = await createReconciling({ labelSelector: 'app=x' });
    await life.begun({ membership: 'synced' });
    await life.world.edit('sub', { labelSelector: 'app = x' });
    await life.reconcile();
    expect(life.done()).toEqual([...TAKEN, 'stores generation', 'writes the object', 'releases the lease']);
    expect(await life.row()).toMatchObject({ generation: 2, membership: 'synced', recall: '' });
  });

  it('an edit before anything was sent starts with the new selection', async () => {
    for (const nothing of [
      { queueName: '', queueUrl: '' },
      { step: 'gone' },
      { step: 'difference', position: 0 },
    ]) {
      const life = await createReconciling({ labelSelector: 'app=x' });
      await life.write(1, { app: 'y' });
      await life.begun(catching('difference', { position: 2, ...nothing }));
      await life.world.edit('sub', { labelSelector: 'app=y' });
      await life.reconcile();
      expect(await life.row()).toMatchObject({ generation: 2, edit: 1, selector: 'app=y' });
    }
  });

  it('an edit waits for the first snapshot if its BOOKMARK may already be sent', async () => {
    const life = await createReconciling({ labelSelector: 'app=x' });
    await life.write(1, { app: 'y' });
    await life.begun(catching('difference', { position: 2, queueUrl: '' }));
    await life.world.edit('sub', { labelSelector: 'app=y' });
    await life.reconcile();
    expect(await life.received()).toEqual(['BOOKMARK', 'ADDED p000', 'BOOKMARK']);
    expect(await life.row()).toMatchObject({ generation: 2, edit: 2, selector: 'app=y' });
  });

  it('an edited subscription follows its old selection to the head, and then gets the difference', async () => {
    const life = await createReconciling({ labelSelector: 'app=x' });
    await life.write(1, { app: 'x' });
    await life.write(2, { app: 'y' });
    await life.begun(journal(1));
    await life.world.edit('sub', { labelSelector: 'app=y' });
    await life.reconcile();
    expect(life.done()).toEqual([
      ...[...TAKEN, 'sends 2', 'stores position failures'],
      expect.stringMatching(/^stores generation .* step edit from boundary$/),
      ...['sends 2', 'sends 1', `stores step from boundary ${READY}`, ...ASKED],
    ]);
    const received = await life.received();
    expect(received).toEqual(['ADDED p000', 'DELETED p000', 'ADDED p000', 'ADDED p001', 'BOOKMARK']);
    expect(await life.row()).toMatchObject({ edit: 2, from: '', boundary: '', step: 'journal' });
  });
});

describe('the check that the queue exists', () => {
  it.each([
    ['synced', false, true],
    ['synced', true, false],
    ['ready', true, true],
    ['ready', false, true],
  ])('the queue is checked if %s, just activated %s: %s', async (membership, isAdmitted, isLookedFor) => {
    const life = await createReconciling();
    await life.begun({ membership });
    await life.reconcile({ isAdmitted });
    expect(life.done().includes('looks for the queue')).toBe(isLookedFor);
  });
});
