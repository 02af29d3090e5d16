import { describe, expect, it } from '@jest/globals';
import {
  ASKED,
  catching,
  createReconciling,
  journal,
  READY,
  TAKEN,
  tens,
} from '../../../support/watch/reconciling.ts';

const NOTHING = { labelSelector: 'app=none' };

describe('the order of the steps of reconcile', () => {
  it('the steps of a subscription that starts with the next change', async () => {
    const life = await createReconciling();
    await life.reconcile();
    expect(life.done()).toEqual(['makes the row', 'makes a queue', `stores queueUrl ${READY}`, ...ASKED]);
  });

  it('the steps of a subscription that starts with a snapshot', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.write(2);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'makes a queue', 'stores queueUrl', 'sends 2', 'sends 1'],
      `stores step from boundary ${READY}`,
      ...ASKED,
    ]);
  });

  it('the steps of a subscription that starts with an empty snapshot', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'makes a queue', 'sends 1'],
      `stores queueUrl step from boundary ${READY}`,
      ...ASKED,
    ]);
  });

  it('the steps of a subscription whose consumer must discard its state', async () => {
    const life = await createReconciling();
    await life.write(1);
    await life.begun(catching('gone', { position: 0, failure: 'why' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...[...TAKEN, 'sends 1', 'stores step', 'stores position', 'sends 1', 'sends 1'],
      `stores step from boundary ${READY}`,
      ...ASKED,
    ]);
    expect(await life.received()).toEqual(['ERROR why; a fresh snapshot follows', 'ADDED p000', 'BOOKMARK']);
  });

  it('the steps of a subscription that has neither a queue nor a queue name', async () => {
    const life = await createReconciling();
    await life.begun(journal(1, { queueName: '', queueUrl: '' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'stores queueName', 'makes a queue', `stores queueUrl ${READY}`],
      ...ASKED,
    ]);
  });

  it('the steps of a snapshot of several pages, which reports the queue meanwhile', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.write(201);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'makes a queue', 'stores queueUrl', ...tens(10), 'stores boundary step failures'],
      ...['writes the object', ...tens(10), 'stores boundary step failures', 'sends 1', 'sends 1'],
      `stores step from boundary ${READY}`,
      ...ASKED,
    ]);
  });

  it('the steps of a verified snapshot of several pages, which stores each page', async () => {
    const life = await createReconciling({ start: 'snapshot', verify: true });
    await life.write(101);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'makes a queue', 'stores queueUrl', ...tens(10), 'stores boundary tally step'],
      ...['stores step failures', 'writes the object', 'sends 1', 'sends 1'],
      ...['stores tally step from boundary', `stores ${READY}`],
      ...ASKED,
    ]);
  });

  it('the steps of an edit between two differences, which follows the journal first', async () => {
    const life = await createReconciling();
    await life.write(2);
    await life.begun(catching('between', { position: 2, edit: 2, boundary: 'default/p001' }));
    await life.reconcile();
    expect(life.done().slice(2, 5)).toEqual([
      'sends 1',
      'stores position failures',
      expect.stringMatching(/^stores step/),
    ]);
  });

  it('the steps of a long journal, which reports the queue meanwhile', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1, { queueUrl: '' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'makes a queue', 'stores queueUrl', ...tens(10), 'stores position failures'],
      ...['writes the object', ...tens(10), 'stores position failures', `stores ${READY}`],
      ...ASKED,
    ]);
  });

  it('the steps of a journal without matching changes, which stores the queue with the position', async () => {
    const life = await createReconciling(NOTHING);
    await life.write(301);
    await life.begun(journal(1, { queueUrl: '' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'makes a queue', 'stores queueUrl position failures', 'writes the object'],
      ...['stores position failures', `stores ${READY}`],
      ...ASKED,
    ]);
  });
});

describe('an interrupted snapshot', () => {
  it('a snapshot continues after the last name that was sent', async () => {
    const life = await createReconciling();
    await life.write(3);
    await life.begun(catching('difference', { position: 4, boundary: 'default/p001' }));
    await life.reconcile();
    expect(await life.received()).toEqual(['ADDED p002', 'BOOKMARK']);
    expect(await life.row()).toMatchObject({ boundary: '', step: 'journal', position: 4 });
  });

  it('a snapshot stops when the lease was lost', async () => {
    const life = await createReconciling();
    await life.write(150);
    await life.begun(catching('difference', { position: 151 }));
    let sent = 0;
    life.world.faults.send = async () => {
      sent += 1;
      if (sent === 10) await life.set({ leaseHolder: 'another' });
      return undefined;
    };
    await expect(life.reconcile()).rejects.toThrow('another process holds its lease');
    expect(await life.received()).toHaveLength(100);
    expect(life.queues.urls()).toContain(life.queueUrl);
  });
});
