import { describe, expect, it } from '@jest/globals';
import { accessOf, accessPolicy } from '../../../../lib/delivery/subscription/queue-access.ts';
import { ASKED, createReconciling, journal } from '../../../support/watch/reconciling.ts';
import { QUEUE_ARNS } from '../../../support/watch/watch-world.ts';

const ROLE = 'arn:aws:iam::444455556666:role/reader';
const CONSUMERS = { consumers: [ROLE] };

describe('the consumers of a subscription', () => {
  it('consumers may receive from a new queue from the beginning', async () => {
    const life = await createReconciling(CONSUMERS);
    await life.reconcile();
    await life.pump();
    expect(life.done()).not.toContain('permits');
    const queueName = String((await life.row())?.queueName);
    expect(life.created()?.Policy).toBe(accessPolicy(`${QUEUE_ARNS}${queueName}`, { arns: [ROLE] }));
    const { conditions } = await life.world.statusOf('sub');
    expect(conditions).toContainEqual(
      expect.objectContaining({ type: 'ConsumersPermitted', status: 'True', reason: 'InPolicy' }),
    );
  });

  it('an edit of consumers changes the policy while delivery continues, and keeps foreign statements', async () => {
    const life = await createReconciling();
    await life.begun({ membership: 'synced' });
    const theirs = { Sid: 'Theirs', Effect: 'Deny' };
    await life.queues.permit(life.queueUrl, JSON.stringify({ Statement: [theirs] }));
    await life.world.edit('sub', CONSUMERS);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'looks for the queue', 'permits'],
      ...['stores access accessFailure generation', 'writes the object', 'releases the lease'],
    ]);
    const { Policy = '' } = (await life.queues.attributes(life.queueUrl)) ?? {};
    expect(JSON.parse(Policy).Statement).toContainEqual(theirs);
    expect(JSON.parse(Policy).Statement).toContainEqual(
      expect.objectContaining({ Principal: { AWS: [ROLE] }, Resource: `${QUEUE_ARNS}sub` }),
    );
    await life.reconcile();
    expect(life.done()).not.toContain('permits');
  });

  it('consumers that SQS rejects are reported, delay nothing, and are tried again', async () => {
    const life = await createReconciling();
    await life.world.put('/default', {}, {}, 'core/namespaces');
    await life.begun({ membership: 'synced' });
    await life.world.edit('sub', CONSUMERS);
    life.faults.before = (call) => {
      if (call === 'permits') throw new Error('Invalid principal');
    };
    await life.reconcile();
    expect(await life.row()).toMatchObject({
      membership: 'synced',
      generation: 2,
      access: accessOf({ arns: [] }),
    });
    const { phase, conditions } = await life.world.statusOf('sub');
    expect(phase).toBe('Synced');
    expect(conditions).toContainEqual(
      expect.objectContaining({
        type: 'ConsumersPermitted',
        status: 'False',
        message: "the queue's policy cannot be changed: Invalid principal",
      }),
    );
    life.faults.before = () => {};
    await life.reconcile();
    expect(await life.row()).toMatchObject({ access: accessOf({ arns: [ROLE] }), accessFailure: '' });
    expect((await life.world.statusOf('sub')).conditions).toContainEqual(
      expect.objectContaining({ type: 'ConsumersPermitted', status: 'True' }),
    );
  });

  it('a queue without a policy gets one at the next reconciliation', async () => {
    const life = await createReconciling();
    await life.begun({ membership: 'synced', access: '' });
    await life.reconcile({ isAdmitted: true });
    expect(life.done()).not.toContain('permits');
    await life.reconcile();
    expect(life.done()).toContain('permits');
    expect(await life.row()).toMatchObject({ access: accessOf({ arns: [] }) });
    expect((await life.world.statusOf('sub')).conditions).toHaveLength(1);
  });

  it('the change of consumers is stored together with the next step', async () => {
    const life = await createReconciling(CONSUMERS);
    await life.begun(journal(1, { access: accessOf({ arns: [] }) }));
    await life.reconcile();
    expect(life.done().slice(2)).toEqual([
      'permits',
      expect.stringMatching(/^stores access accessFailure membership /),
      ...ASKED,
    ]);
  });
});
