import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import { newQueueName } from '../../../lib/delivery/reconcile/subscription-queue.ts';
import { CANARY } from '../../../lib/platform/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { AccessDeniedError, Role } from '../../support/template/role.ts';
import { createNamer } from '../../support/template/template-names.ts';
import { CanaryWorld } from '../../support/watch/canary-world.ts';
import { QUEUE_PREFIX } from '../../support/watch/watch-world.ts';
import { functionOf, functionsOf, properties, resources, statementsOf, synthesized } from './synthesized.ts';

const ARNS = 'arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:';

let template: Template;
beforeAll(async () => {
  template = await synthesized({ canary: true });
});

describe('a stack with a canary', () => {
  it('a canary adds a function with its schedule and alarms, and no queue', async () => {
    const plain = await synthesized();
    expect(functionsOf(plain)).not.toContain('canary');
    expect(functionsOf(template)).toEqual(expect.arrayContaining([...functionsOf(plain), 'canary']));
    const more = (type: string) => resources(template, type).length - resources(plain, type).length;
    expect(
      [
        'AWS::Lambda::Function',
        'AWS::IAM::Role',
        'AWS::Events::Rule',
        'AWS::CloudWatch::Alarm',
        'AWS::SQS::Queue',
        'AWS::Lambda::EventSourceMapping',
      ].map(more),
    ).toEqual([1, 1, 1, 1, 0, 0]);
  });

  it('a canary does not change the other functions and their permissions', async () => {
    const plain = await synthesized();
    for (const name of functionsOf(plain)) {
      expect([name, statementsOf(template, name)]).toEqual([name, statementsOf(plain, name)]);
      const variables = (one: Template) => functionOf(one, name)[1].Environment;
      expect(variables(template)).toEqual(variables(plain));
    }
  });

  it('the alarm on the schedule of the canary reports that the canary does not run', () => {
    const [canary] = functionOf(template, 'canary');
    const alarms = properties(template, 'AWS::CloudWatch::Alarm');
    expect(alarms.find(({ Dimensions }) => Dimensions?.[0].Value.Ref === canary)).toMatchObject({
      MetricName: 'AsyncEventAge',
      Period: 60,
      EvaluationPeriods: 3,
      TreatMissingData: 'missing',
      InsufficientDataActions: [expect.anything()],
    });
  });

  it("the canary may use the deployment's own key", async () => {
    const keyed = await synthesized({ canary: true, key: 'managed' });
    expect(statementsOf(keyed, 'canary').flatMap(({ Sid = [] }) => Sid)).toContain('UseKey');
  });
});

describe('the role of canary', () => {
  const role = () => new Role(template, 'canary');
  const queueArn = (url: string) => `${ARNS}${url.slice(url.indexOf(QUEUE_PREFIX))}`;

  it('the role of canary suffices to set up, to beat, and to receive from its queue', async () => {
    const world = await CanaryWorld.create({
      table: (table) => role().table(table),
      queues: (queues) => role().queues(queues, () => 'QueuesEvents'),
      inbox: (inbox) => ({
        receive: (url, signal) => {
          role().ask({ action: 'sqs:ReceiveMessage', resource: queueArn(url) });
          return inbox.receive(url, signal);
        },
        delete: (url, received) => {
          role().ask({ action: 'sqs:DeleteMessage', resource: queueArn(url) });
          return inbox.delete(url, received);
        },
      }),
    });
    expect((await world.beat()).failed).toEqual([]);
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await world.minute();
      expect(await world.beat()).toEqual({ measured: { CanarySuccess: 1, CanaryDelay: 0 }, failed: [] });
    }
    expect(world.memory.world.errors).toEqual([]);
  });

  it('the role of canary cannot read or write other objects', async () => {
    const table = role().table(createMemoryTable());
    const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow(AccessDeniedError);
    for (const pk of ['object#core/secrets', 'object#core/configmaps', 'object#winnow.dev/accessentries']) {
      await refused(table.get({ pk, sk: 'a/b' }));
      await refused(table.put({ pk, sk: 'a/b' }, []));
    }
    await refused(table.put({ pk: 'object#core/namespaces', sk: '/a' }, []));
    await refused(table.put({ pk: 'journal#core/secrets#1', sk: '1' }, []));
    await refused(table.put({ pk: `object#${CANARY.collection}more`, sk: 'a/b' }, []));
    await refused(table.delete({ pk: `object#${CANARY.collection}`, sk: 'a/b' }));
    await refused(table.update({ pk: 'head#core/secrets', sk: 'head' }, { add: { rv: 1 } }));
    await refused(table.update({ pk: `head#${CANARY.collection}`, sk: 'cursor' }, { set: { position: 1 } }));
  });

  it('the role of canary cannot receive from another queue, also with the longest prefix', async () => {
    const allowed = (queue: string) => {
      try {
        role().ask({ action: 'sqs:ReceiveMessage', resource: `${ARNS}${queue}` });
        return true;
      } catch {
        return false;
      }
    };
    expect(allowed(`${QUEUE_PREFIX}default-mine-abcdefgh.fifo`)).toBe(false);
    const longest = 'p'.repeat(24);
    const long = await synthesized({ canary: true, prefix: longest });
    const random = { suffix: () => 'abcdefgh', uuid: () => '', fraction: () => 0 };
    const queuePrefix = `${longest}-subscription-`;
    const name = newQueueName({ queuePrefix, random }, { name: CANARY, fifo: true });
    const [receives] = statementsOf(long, 'canary').filter(({ Sid }) => Sid === 'ReceiveOwn');
    const pattern = String(createNamer(long)(receives?.Resource));
    expect(`${ARNS}${name}`.startsWith(pattern.slice(0, -1))).toBe(true);
    expect(pattern).toBe(`${ARNS}${queuePrefix}kube-system-canary-*`);
  });
});
