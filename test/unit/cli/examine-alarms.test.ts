import { describe, expect, it } from '@jest/globals';
import { UncheckedError } from '../../../cli/connection/index.ts';
import { AlarmExamination } from '../../../cli/doctor/alarms/alarm-examination.ts';
import type { AlarmSource, FoundAlarm, FoundTopic } from '../../../cli/doctor/alarms/alarm-source.ts';
import { examineAlarms } from '../../../cli/doctor/alarms/examine-alarms.ts';
import { mayPublish } from '../../../cli/doctor/alarms/may-publish.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:Winnow-Alarms';
const ALARM = 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:Lag';
const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

/** The description as `constructs/watching/alarms.ts` writes it. */
const OURS = {
  Effect: 'Allow',
  Principal: { Service: 'cloudwatch.amazonaws.com' },
  Action: 'sns:Publish',
  Resource: TOPIC,
  Condition: { StringEquals: { 'aws:SourceAccount': '111122223333' } },
};
const TLS_ONLY = {
  Effect: 'Deny',
  Principal: '*',
  Action: 'sns:Publish',
  Resource: TOPIC,
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
};
const policyOf = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement });

const alarm = (changed: Partial<FoundAlarm> = {}): FoundAlarm => ({
  name: 'Lag',
  arn: ALARM,
  state: 'OK',
  since: NOW - 60 * MINUTE,
  isArmed: true,
  topics: [TOPIC],
  tellsSilence: true,
  heading: 'journal-lag',
  ...changed,
});

interface World {
  readonly expected?: readonly string[] | undefined;
  readonly alarms?: readonly FoundAlarm[];
  readonly topic?: Partial<FoundTopic> | 'gone' | 'refused';
}

async function examined(world: World) {
  const { alarms = [alarm()], topic = {} } = world;
  const found = { arn: TOPIC, policy: policyOf(TLS_ONLY, OURS), key: '', confirmed: 1, pending: 0 };
  const source: AlarmSource = {
    expected: async () => ('expected' in world ? world.expected : alarms.map(({ name }) => name)),
    alarms: async (names) => alarms.filter(({ name }) => names.includes(name)),
    topic: async () => {
      if (topic === 'refused') throw new UncheckedError('SNS refuses');
      return topic === 'gone' ? undefined : { ...found, ...topic };
    },
  };
  const outcomes = await examineAlarms({
    examination: new AlarmExamination('Winnow', source, NOW),
    listener: { begin: () => {}, end: () => {} },
    interrupted: new AbortController().signal,
  });
  const faults = outcomes.filter(({ result }) => result === 'wrong');
  return {
    notes: outcomes.map(({ note }) => note),
    wrong: Object.fromEntries(faults.map(({ step, note }) => [step, note])),
  };
}

describe('winnow doctor --alarms', () => {
  it('doctor --alarms reports that all is well', async () => {
    const alarms = [alarm(), alarm({ name: 'New', state: 'INSUFFICIENT_DATA', since: NOW - MINUTE })];
    expect(await examined({ alarms, topic: { confirmed: 2, pending: 1 } })).toEqual({
      notes: [
        'Winnow, with 2 alarms',
        'all 2',
        '1 are OK, 1 have no data yet',
        '2 alarms, Winnow-Alarms',
        '2 confirmed subscriptions, 1 not yet',
      ],
      wrong: {},
    });
  });

  it('doctor --alarms reports nothing about what it could not examine', async () => {
    const gone = await examined({ expected: ['Lag'], alarms: [] });
    expect(gone.wrong).toEqual({ 'alarms exist': '1 of 1 do not exist: Lag' });
    expect(gone.notes.slice(2)).toEqual(['no alarm was found', 'no alarm was found', 'no alarm was found']);
    const refused = await examined({ topic: 'refused' });
    expect(refused.wrong).toEqual({});
    expect(refused.notes.slice(3)).toEqual(['SNS refuses', 'their topic could not be read']);
  });

  it('doctor --alarms reports what it does not understand', async () => {
    const org = { StringEquals: { 'aws:PrincipalOrgID': 'o' } };
    for (const topic of [{ key: 'arn:aws:kms:x' }, { policy: policyOf({ ...OURS, Condition: org }) }]) {
      expect((await examined({ topic })).notes[3]).toMatch(
        /^1 alarms, Winnow-Alarms; not checked: whether its key and the cond/,
      );
    }
  });

  const two = ['Lag', 'Errors'];
  const both = (changed: Partial<FoundAlarm>) => [alarm(changed), alarm({ name: 'Errors', ...changed })];
  it.each<[string, World, Record<string, unknown>]>([
    ['no stack', { expected: undefined }, { 'find the stack': 'the stack Winnow does not exist' }],
    ['none in it', { expected: [] }, { 'find the stack': 'the stack Winnow has no alarms' }],
    ['one that was deleted', { expected: two }, { 'alarms exist': '1 of 2 do not exist: Errors' }],
    ['one that went off', { alarms: [alarm({ state: 'ALARM' })] }, { 'alarm states': 'in ALARM: Lag' }],
    [
      'a schedule that stands still',
      { alarms: [alarm({ state: 'INSUFFICIENT_DATA' })] },
      { 'alarm states': 'without data, so the schedule does not run: Lag' },
    ],
    [
      'one that was switched off',
      { alarms: [alarm(), alarm({ name: 'Errors', isArmed: false })] },
      { 'alarms reach their topic': 'Errors: its actions are disabled' },
    ],
    [
      'a topic that is gone',
      { topic: 'gone' },
      {
        'alarms reach their topic': 'every alarm: the topic Winnow-Alarms does not exist',
        'topic has subscribers': 'no alarm has a topic',
      },
    ],
    [
      'a policy that keeps CloudWatch out',
      { alarms: both({}), topic: { policy: policyOf(TLS_ONLY) } },
      {
        'alarms reach their topic':
          'every alarm: the policy of Winnow-Alarms does not allow CloudWatch to publish',
      },
    ],
    [
      'a key that CloudWatch may not use',
      { topic: { key: 'alias/aws/sns' } },
      {
        'alarms reach their topic':
          'every alarm: CloudWatch may not use the key alias/aws/sns of Winnow-Alarms',
      },
    ],
    [
      'alarms that tell nobody',
      { alarms: both({ topics: [] }) },
      {
        'alarms reach their topic': 'every alarm: it names no topic',
        'topic has subscribers': 'no alarm has a topic',
      },
    ],
    [
      'a topic without subscribers',
      { topic: { confirmed: 0 } },
      { 'topic has subscribers': 'Winnow-Alarms has no subscription' },
    ],
    [
      'a subscriber who never said yes',
      { topic: { confirmed: 0, pending: 1 } },
      { 'topic has subscribers': 'Winnow-Alarms has only 1 unconfirmed subscription' },
    ],
  ])('finds %s', async (_what, world, wrong) => {
    expect((await examined(world)).wrong).toEqual(wrong);
  });
});

describe('The permission to publish', () => {
  const changed = (change: object) => policyOf({ ...OURS, ...change });
  it.each([
    ['ours', policyOf(TLS_ONLY, OURS), 'yes'],
    [
      "SNS' own",
      changed({
        Principal: { AWS: '*' },
        Action: ['SNS:Publish'],
        Condition: { StringEquals: { 'AWS:SourceOwner': '111122223333' } },
      }),
      'yes',
    ],
    [
      'any alarm',
      changed({ Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:cloudwatch:*:alarm:*' } } }),
      'yes',
    ],
    ['another account', changed({ Condition: { StringEquals: { 'aws:SourceAccount': '999' } } }), 'no'],
    ['another service', changed({ Principal: { Service: 'events.amazonaws.com' } }), 'no'],
    ['another action', changed({ Action: 'sns:Subscribe' }), 'no'],
    ['another topic', changed({ Resource: `${TOPIC}2` }), 'no'],
    [
      'a condition of something else',
      changed({ Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o' } } }),
      'perhaps',
    ],
    ['denied to all', policyOf(OURS, { ...TLS_ONLY, Condition: undefined }), 'no'],
    ['nothing', '{}', 'no'],
  ])('%s', (_what, policy, verdict) => {
    expect(mayPublish(policy, TOPIC, ALARM)).toBe(verdict);
  });
});
