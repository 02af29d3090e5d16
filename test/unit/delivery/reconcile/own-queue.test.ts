import { describe, expect, it } from '@jest/globals';
import { subscriptionKey } from '../../../../lib/store/index.ts';
import { catching, createReconciling } from '../../../support/watch/reconciling.ts';
import { CLUSTER_ID, PODS, QUEUE_ARNS, QUEUE_PREFIX } from '../../../support/watch/watch-world.ts';

const ACCOUNT = 'arn:aws:sqs:eu-central-1:444455556666:';
const ARN = `${ACCOUNT}theirs.fifo`;
const URL = 'memory://444455556666/theirs.fifo';

const TAGS = { 'winnow:deliver': CLUSTER_ID };

type Life = Awaited<ReturnType<typeof createReconciling>>;

/** Creates a subscription to an existing user-owned queue. */
async function createOwn(arn = ARN, more = {}, tags = TAGS) {
  const life = await createReconciling({ queue: { arn }, ...more });
  await life.world.put('/default', {}, {}, 'core/namespaces');
  const make = () =>
    life.queues.create('444455556666/theirs.fifo', { attributes: { FifoQueue: 'true' }, tags });
  await make();
  return { ...life, make };
}

const bodies = async ({ queues }: Life) => (await queues.drain(URL)).map(({ body }) => JSON.parse(body));
const prove = (life: Life, token: unknown) =>
  life.world.edit('sub', { queue: { arn: ARN, token: String(token) } });

describe('a user-owned queue', () => {
  it('a user-owned queue gets a token once, and nothing else until the token is returned', async () => {
    const life = await createOwn(ARN, { start: 'snapshot' });
    await life.write(1);
    await life.reconcile();
    const [first, ...others] = await bodies(life);
    expect([first?.type, first?.object.kind, others]).toEqual(['TOKEN', 'QueueProof', []]);
    life.done();
    await life.reconcile();
    expect(life.done()).not.toContain('sends 1');
    await life.pump();
    expect(await bodies(life)).toEqual([]);
    expect(await life.world.statusOf('sub')).toMatchObject({
      phase: 'Pending',
      queueUrl: '',
      conditions: [
        {
          message: `spec.queue.token has to be the token that was sent to ${ARN}, in a message of type TOKEN`,
        },
      ],
    });
    expect(JSON.stringify(await life.world.statusOf('sub'))).not.toContain(first?.object.token);

    await prove(life, 'a guess');
    await life.pump();
    expect(await bodies(life)).toEqual([]);
    expect(JSON.stringify(await life.world.statusOf('sub'))).toContain(
      `${ARN} gets one token of this Subscription in an hour: the next one in 60 minutes`,
    );
    await life.minutes(80);
    const [again] = await bodies(life);
    expect(again?.object.token).toBe(first?.object.token);
    await prove(life, first?.object.token);
    await life.pump();
    expect((await bodies(life)).map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Synced', queueUrl: URL, queueArn: ARN });
    expect(life.world.errors).toEqual([]);
  });

  it('a user-owned queue stays when its Subscription is deleted, proved or not', async () => {
    const life = await createOwn();
    await life.reconcile();
    const [{ object }] = (await bodies(life)) as [{ object: { token: string } }];
    await prove(life, object.token);
    await life.pump();
    await life.world.unsubscribe('sub');
    await life.pump();
    expect(await life.row()).toBeUndefined();
    expect(life.queues.urls()).toContain(URL);
    expect(life.done()).not.toContain('makes a queue');

    const unproven = await createOwn();
    await unproven.reconcile();
    await unproven.world.unsubscribe('sub');
    await unproven.pump();
    expect(await unproven.row()).toBeUndefined();
    expect(unproven.queues.urls()).toContain(URL);
  });

  it('a user-owned queue stays when its Subscription is deleted during the check of the token', async () => {
    const life = await createOwn();
    await life.reconcile();
    const [{ object }] = (await bodies(life)) as [{ object: { token: string } }];
    await prove(life, object.token);
    life.faults.before = async (call) => {
      if (call.includes('queueUrl')) await life.world.table.delete(subscriptionKey(PODS, life.uid));
    };
    await expect(life.reconcile()).rejects.toThrow('is gone, or another process holds its lease');
    expect(life.queues.urls()).toContain(URL);
  });

  it.each([
    [
      `${ACCOUNT.replace('eu-central-1', 'us-east-1')}theirs.fifo`,
      'is in another region than the deployment, eu-central-1',
    ],
    [`${QUEUE_ARNS}${QUEUE_PREFIX}default-other.fifo`, "is the deployment's own"],
  ])('the queue %s is refused', async (arn, why) => {
    const life = await createOwn(arn);
    await life.reconcile();
    expect(life.done()).not.toContain('sends 1');
    expect((await life.world.statusOf('sub')).conditions).toMatchObject([{ message: `${arn} ${why}` }]);
  });

  it.each([`${ACCOUNT}${QUEUE_PREFIX}theirs.fifo`, `${QUEUE_ARNS}theirs.fifo`])(
    'a queue of another prefix or account is accepted: %s',
    async (arn) => {
      const life = await createOwn(arn);
      const path = arn.split(':').slice(4).join('/');
      await life.queues.create(path, { attributes: { FifoQueue: 'true' }, tags: TAGS });
      await life.reconcile();
      expect(life.done()).toContain('sends 1');
    },
  );

  it.each(['eventQueueUrl', 'reconcileQueueUrl'] as const)(
    'an internal queue of Winnow is refused: %s',
    async (which) => {
      const life = await createOwn();
      const name = life.world[which].replace('memory://', '');
      await life.world.edit('sub', { queue: { arn: `${QUEUE_ARNS}${name}` } });
      await life.reconcile();
      expect(life.done()).not.toContain('sends 1');
      expect(JSON.stringify(await life.world.statusOf('sub'))).toContain("is the deployment's own");
    },
  );

  it('a queue that rejects the token is tried again at once when the Subscription is edited', async () => {
    const life = await createOwn();
    life.faults.before = (call) => {
      if (call === 'sends 1') throw new Error('Access to the resource is denied.');
    };
    await life.reconcile();
    const { conditions } = await life.world.statusOf('sub');
    expect(JSON.stringify(conditions)).toContain('has to have the tag winnow:deliver');
    life.faults.before = () => {};
    life.done();
    await life.reconcile();
    expect(life.done()).not.toContain('sends 1');
    await life.world.edit('sub', { labelSelector: 'app=web' });
    await life.reconcile();
    expect(life.done()).toContain('sends 1');
  });

  it('a recreated user-owned queue gets an ERROR and then a new snapshot', async () => {
    const life = await createOwn();
    await life.reconcile();
    const [{ object }] = (await bodies(life)) as [{ object: { token: string } }];
    await prove(life, object.token);
    await life.pump();
    await life.world.put('default/a');
    await life.pump();
    await life.queues.delete(URL);
    await life.world.put('default/b');
    await life.pump();
    expect(await life.row()).toMatchObject({ membership: 'catching-up', step: 'gone', failures: 1 });
    await life.make();
    await life.minutes(1);
    expect((await bodies(life)).map(({ type }) => type)).toEqual(['ERROR', 'ADDED', 'ADDED', 'BOOKMARK']);
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Synced', queueUrl: URL });
  });

  it('Winnow does not change the policy of a user-owned queue', async () => {
    const life = await createOwn();
    await life.begun({ queueArn: ARN, queueName: 'theirs.fifo', queueUrl: URL, access: 'another' });
    await life.reconcile();
    expect(life.done()).not.toContain('permits');
  });

  it('a user-owned queue that rejects messages during a snapshot continues from there', async () => {
    const life = await createOwn();
    await life.write(2);
    await life.begun(
      catching('difference', { position: 3, queueArn: ARN, queueName: 'theirs.fifo', queueUrl: URL }),
    );
    life.faults.before = (call) => {
      if (call.startsWith('sends')) throw new Error('Access to the resource is denied.');
    };
    await life.reconcile();
    expect(await life.row()).toMatchObject({ step: 'difference', start: 1, attempt: 1, failures: 1 });
  });

  it('a user-owned queue that is lost during a snapshot leads to a restart', async () => {
    const life = await createOwn();
    await life.write(2);
    await life.begun(
      catching('difference', { position: 3, queueArn: ARN, queueName: 'theirs.fifo', queueUrl: URL }),
    );
    await life.queues.delete(URL);
    await life.reconcile();
    expect(await life.row()).toMatchObject({ step: 'gone', start: 2, edit: 2, failures: 1 });
  });
});
