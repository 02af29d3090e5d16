import { describe, expect, it } from '@jest/globals';
import { ASKED, catching, createReconciling, journal, READY } from '../../../support/watch/reconciling.ts';

const SUSPENDED = { suspend: true };
const WRITTEN = ['writes the object', 'releases the lease'];

describe('a subscription that is suspended', () => {
  it('a subscription that starts suspended has a queue, and gets the missed changes when it is resumed', async () => {
    const life = await createReconciling(SUSPENDED);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'stores suspended', 'makes a queue', 'stores queueUrl'],
      ...WRITTEN,
    ]);
    const url = await life.world.queueOf('sub');
    await life.pump();
    await life.world.put('default/a');
    await life.pump();
    expect(await life.queues.drain(url)).toEqual([]);
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Suspended', observedGeneration: 1 });
    await life.world.edit('sub', { suspend: false });
    await life.pump();
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Synced', observedGeneration: 2 });
    const [message, ...others] = await life.queues.drain(url);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'a' } },
    });
    expect(others).toEqual([]);
  });

  it.each(['synced', 'ready'])('a %s subscription is recalled from dispatch first', async (membership) => {
    const life = await createReconciling(SUSPENDED);
    await life.begun({ membership });
    await life.reconcile();
    expect(life.done().slice(0, 5)).toEqual([
      ...['takes the lease', 'looks for the queue', 'stores recall'],
      ...ASKED,
    ]);
    expect(await life.row()).toMatchObject({ recall: 'the subscription is suspended', suspended: 0 });
    expect(await life.world.statusOf('sub')).not.toMatchObject({ phase: 'Suspended' });
  });

  it('a subscription that is suspended during a snapshot continues with the rest of it', async () => {
    const life = await createReconciling(SUSPENDED);
    await life.write(3);
    await life.begun(catching('difference', { position: 4, boundary: 'default/p000' }));
    await life.reconcile();
    await life.reconcile();
    expect(await life.received()).toEqual([]);
    expect(await life.row()).toMatchObject({ suspended: 1, step: 'difference', boundary: 'default/p000' });
    await life.world.edit('sub', { suspend: false });
    await life.reconcile();
    expect(await life.received()).toEqual(['ADDED p001', 'ADDED p002', 'BOOKMARK']);
    expect(await life.row()).toMatchObject({ suspended: 0, membership: 'ready' });
  });

  it('a suspended subscription that is edited gets the difference when it is resumed', async () => {
    const life = await createReconciling(SUSPENDED);
    await life.write(2, { app: 'web' });
    await life.begun(journal(3));
    await life.world.edit('sub', { labelSelector: 'app=db' });
    await life.reconcile();
    expect(await life.row()).toMatchObject({ suspended: 2, generation: 1 });
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Suspended', observedGeneration: 2 });
    expect(await life.received()).toEqual([]);
    await life.world.edit('sub', { suspend: false });
    await life.reconcile();
    expect(await life.received()).toEqual(['DELETED p000', 'DELETED p001', 'BOOKMARK']);
    expect(await life.row()).toMatchObject({ generation: 3 });
  });

  it('a suspended subscription that loses its queue gets a new one, whose snapshot waits', async () => {
    const life = await createReconciling(SUSPENDED);
    await life.write(1);
    await life.begun(journal(2, { suspended: 1 }));
    await life.queues.delete(life.queueUrl);
    await life.reconcile();
    const url = await life.world.queueOf('sub');
    expect(await life.queues.drain(url)).toEqual([]);
    expect(await life.row()).toMatchObject({ step: 'difference', position: 0, queueUrl: url });
    await life.world.edit('sub', { suspend: false });
    await life.pump();
    expect(await life.queues.drain(url)).toHaveLength(2);
  });

  it('the queue of a suspended subscription is created later if it cannot be created now', async () => {
    const life = await createReconciling(SUSPENDED);
    life.faults.before = (call) => {
      if (call === 'makes a queue') throw new Error('too many queues');
    };
    await life.reconcile();
    expect(await life.row()).toMatchObject({ suspended: 1, failures: 1, queueUrl: '' });
    life.done();
    await life.reconcile();
    expect(life.done()).toEqual(['takes the lease', 'releases the lease']);
    life.faults.before = () => {};
    life.clock.advance(60_000);
    await life.reconcile();
    expect(life.done()).toContain('makes a queue');
    expect(await life.world.queueOf('sub')).not.toBe('');
  });

  it('a process that lost the lease leaves a suspended subscription alone', async () => {
    const life = await createReconciling(SUSPENDED);
    life.faults.before = async (call) => {
      if (call === 'makes a queue') await life.set({ leaseHolder: 'another' });
    };
    await expect(life.reconcile()).rejects.toThrow('another process holds its lease');
    expect(await life.world.statusOf('sub')).not.toHaveProperty('phase');
  });

  it('a resumed subscription continues at once, despite earlier failures of its queue', async () => {
    const life = await createReconciling();
    const nextAttempt = life.clock.now() + 60_000;
    await life.begun(journal(1, { suspended: 1, failures: 3, nextAttempt, failure: 'refused' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'looks for the queue'],
      `stores suspended nextAttempt failure ${READY.replace('nextAttempt failure ', '')}`,
      ...ASKED,
    ]);
  });

  it('a resumed subscription that must restart gets the reason', async () => {
    const life = await createReconciling();
    await life.begun(catching('gone', { position: 0, suspended: 1, failure: 'it stood still for too long' }));
    await life.world.put('/default', {}, {}, 'core/namespaces');
    await life.reconcile();
    expect((await life.received())[0]).toBe('ERROR it stood still for too long; a fresh snapshot follows');
    const { rows } = await life.world.table.query({ partition: 'object#core/events', from: '!', to: '~' });
    expect(rows).toHaveLength(2);
  });

  it('the consumers of a suspended subscription are updated once', async () => {
    const life = await createReconciling({ ...SUSPENDED, consumers: ['arn:aws:iam::444455556666:root'] });
    await life.begun(journal(1, { suspended: 1, access: 'another' }));
    await life.reconcile();
    expect(life.done().slice(2, 4)).toEqual(['permits', 'stores access accessFailure suspended']);
    await life.reconcile();
    expect(life.done()).not.toContain('permits');
  });
});
