import { describe, expect, it } from '@jest/globals';
import type { SubscribingRules } from '../../../../lib/delivery/index.ts';
import { createReconciling } from '../../../support/watch/reconciling.ts';
import { CLUSTER_ID, OTHER_ACCOUNT, QUEUE_ARNS, QUEUE_PREFIX } from '../../../support/watch/watch-world.ts';

const NAME = 'theirs.fifo';
const OWN = { arn: `${QUEUE_ARNS}${NAME}`, url: `memory://111122223333/${NAME}` };
const OTHERS = {
  arn: `arn:aws:sqs:eu-central-1:${OTHER_ACCOUNT}:${NAME}`,
  url: `memory://${OTHER_ACCOUNT}/${NAME}`,
};
const DENIED =
  'User: arn:aws:sts::111122223333:assumed-role/r/f is not authorized to perform: sqs:getqueueattributes';
const TAGGED = { 'winnow:deliver': CLUSTER_ID };
const TAGGED_BEFORE = { 'winnow:deliver': QUEUE_PREFIX };

interface Given {
  readonly queue?: typeof OWN;
  readonly tags?: Readonly<Record<string, string>>;
  readonly rules?: Partial<SubscribingRules>;
}

/** Creates a Subscription to an existing user-owned queue, in a deployment with these rules. */
async function createOwn({ queue = OWN, tags = TAGGED, rules = {} }: Given = {}) {
  const life = await createReconciling({ queue: { arn: queue.arn } });
  await life.world.put('/default', {}, {}, 'core/namespaces');
  await life.queues.create(queue.url.replace('memory://', ''), { attributes: { FifoQueue: 'true' }, tags });
  const underRules = (more: Partial<SubscribingRules>) => {
    life.world.rules = { ...life.world.rules, ...more };
    life.world.reconciler = life.world.newReconciler();
  };
  underRules(rules);
  const sent = async () => (await life.queues.drain(queue.url)).map(({ body }) => JSON.parse(body));
  const condition = async (type: string) => {
    const { conditions } = (await life.world.statusOf('sub')) as { conditions: { type: string }[] };
    return conditions.find((one) => one.type === type);
  };
  /** Brings the Subscription into the state after its proof. */
  const begun = () =>
    life.begun({
      queueArn: queue.arn,
      queueName: NAME,
      queueUrl: queue.url,
      membership: 'synced',
      token: 't',
    });
  return { ...life, queue, sent, condition, underRules, begun };
}

describe('a user-owned queue that must get no token', () => {
  it.each([
    ['has no tag', {}, 'and has no such tag'],
    ['has the tag of earlier versions', TAGGED_BEFORE, `and has the value ${QUEUE_PREFIX}`],
    [
      'is tagged for another deployment',
      { 'winnow:deliver': 'winnow-9999' },
      'and has the value winnow-9999',
    ],
  ])('a queue gets no token if it %s', async (_, tags, why) => {
    const life = await createOwn({ tags });
    await life.reconcile();
    expect(await life.sent()).toEqual([]);
    expect(await life.condition('Ready')).toMatchObject({
      message: `${OWN.arn} has to have the tag winnow:deliver with the value ${CLUSTER_ID}, ${why}`,
    });
  });

  it('a queue gets no token if its account may not receive', async () => {
    const life = await createOwn({ queue: OTHERS, rules: { bound: { kind: 'own' } } });
    await life.reconcile();
    expect(await life.sent()).toEqual([]);
    expect(await life.condition('Ready')).toMatchObject({
      message: `${OTHERS.arn} is of account ${OTHER_ACCOUNT}, which may not receive`,
    });
  });

  it('a queue gets no token if IAM denies reading it, and the condition names the organization', async () => {
    const bound = { kind: 'organization', id: 'o-abcdefghij' } as const;
    const life = await createOwn({ queue: OTHERS, rules: { bound } });
    life.faults.before = (call) => {
      if (call === 'looks for the queue') throw new Error(DENIED);
    };
    await life.reconcile();
    expect(await life.sent()).toEqual([]);
    expect(await life.condition('QueuePermitted')).toMatchObject({
      status: 'False',
      reason: 'DeniedByOrganization',
      message: expect.stringContaining('an account in the organization o-abcdefghij'),
    });
    life.faults.before = () => {};
    await life.world.edit('sub', { labelSelector: 'app=web' });
    await life.reconcile();
    expect((await life.sent()).map(({ type }) => type)).toEqual(['TOKEN']);
    expect(await life.condition('QueuePermitted')).toBeUndefined();
  });

  it('a queue gets no second token in an hour, also if the Subscription is edited or recreated', async () => {
    const life = await createOwn();
    await life.reconcile();
    expect((await life.sent()).map(({ type }) => type)).toEqual(['TOKEN']);
    await life.world.edit('sub', { labelSelector: 'app=web' });
    await life.pump();
    await life.world.unsubscribe('sub');
    await life.pump();
    await life.world.subscribe('sub', { queue: { arn: OWN.arn } });
    await life.pump();
    expect(await life.sent()).toEqual([]);
    await life.minutes(80);
    expect((await life.sent()).map(({ type }) => type)).toEqual(['TOKEN']);
  });

  it('a queue gets no more than ten tokens of a namespace in an hour', async () => {
    const life = await createOwn();
    for (let at = 0; at < 30; at += 1) await life.world.subscribe(`sub-${at}`, { queue: { arn: OWN.arn } });
    await life.pump();
    await life.minutes(3);
    expect(await life.sent()).toHaveLength(10);
  });
});

describe('a Subscription that is older than a rule', () => {
  it.each<[string, Given, string]>([
    ['the tag', { tags: TAGGED_BEFORE }, 'has to have the tag winnow:deliver'],
    [
      'the account',
      { queue: OTHERS, rules: { bound: { kind: 'own' } } },
      'spec.queue.arn: account 444455556666',
    ],
  ])('a violation of the rule of %s gives a warning until it is enforced', async (_, given, why) => {
    const life = await createOwn(given);
    await life.begun();
    await life.reconcile();
    expect(await life.row()).toMatchObject({ membership: 'synced', suspended: 0 });
    expect(await life.condition('WithinLimits')).toMatchObject({
      status: 'False',
      reason: 'Tolerated',
      message: expect.stringContaining(why),
    });
    life.underRules({ enforced: true });
    await life.reconcile();
    await life.pump();
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Suspended' });
    expect(await life.condition('WithinLimits')).toMatchObject({ reason: 'Stopped' });
    life.underRules({ enforced: false });
    await life.reconcile();
    await life.pump();
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Synced' });
  });

  it('a Subscription that violates a rule of selectors continues too', async () => {
    const life = await createOwn();
    await life.begun();
    life.underRules({ limits: { ...life.world.rules.limits, selectorBytes: 10 } });
    await life.world.edit('sub', { labelSelector: 'app in (web,api)' });
    await life.pump();
    expect(await life.condition('WithinLimits')).toMatchObject({
      reason: 'Tolerated',
      message: expect.stringContaining(
        'spec.labelSelector: a selector may take 10 bytes (setting selectorBytes)',
      ),
    });
  });
});
