import { Fault, UncheckedError } from '../../connection/index.ts';
import type { AlarmExamination, AlarmStep } from './alarm-examination.ts';
import type { FoundAlarm, FoundTopic } from './alarm-source.ts';
import { mayPublish } from './may-publish.ts';

/** For this time, in ms, a new stack may lack the metrics that arrive every minute. */
const FRESH = 10 * 60_000;
/** The longest list of names in a message. */
const NAMED = 5;
/** CloudFormation compares templates, so deploying the same one again changes nothing. */
const DRIFTED =
  'Let CloudFormation revert the manual change ("aws cloudformation create-change-set --deployment-mode REVERT_DRIFT")';
/** A key that CloudWatch may not use: AWS manages the key's policy, and the policy allows SNS only. */
const KEY_OF_AWS = 'alias/aws/sns';

const UNREAD = '; not checked: whether its key and the conditions of its policy admit CloudWatch';

const findStack: AlarmStep = {
  name: 'find the stack',
  required: true,
  run: async (examination) => {
    const { stackName, source } = examination;
    const expected = await source.expected();
    if (expected === undefined) {
      throw new Fault({
        what: `the stack ${stackName} does not exist`,
        advice: 'Check the account and the region; --stack takes the name of the stack',
      });
    }
    if (expected.length === 0) {
      throw new Fault({
        what: `the stack ${stackName} has no alarms`,
        advice: 'Name a Winnow stack with --stack',
      });
    }
    examination.expected = expected;
    return `${stackName}, with ${expected.length} alarms`;
  },
};

const findAlarms: AlarmStep = {
  name: 'alarms exist',
  run: async (examination) => {
    const { source, expected } = examination;
    examination.alarms = await source.alarms(expected);
    const there = new Set(examination.alarms.map(({ name }) => name));
    const missing = expected.filter((name) => !there.has(name));
    if (missing.length === 0) return `all ${expected.length}`;
    throw new Fault({
      what: `${missing.length} of ${expected.length} do not exist: ${some(missing)}`,
      advice: `${DRIFTED}, or create the alarms again by hand`,
      runbook: 'alarms',
    });
  },
};

const lookAtStates: AlarmStep = {
  name: 'alarm states',
  run: async ({ alarms, now }) => {
    needSome(alarms);
    const ringing = alarms.filter(({ state }) => state === 'ALARM');
    const unmeasured = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA');
    const silent = unmeasured.filter(({ tellsSilence, since }) => tellsSilence && now - since > FRESH);
    const wrong = [...ringing, ...silent];
    if (wrong.length === 0) {
      const quiet = unmeasured.length === 0 ? '' : `, ${unmeasured.length} have no data yet`;
      return `${alarms.length - unmeasured.length} are OK${quiet}`;
    }
    const headings = [...new Set(wrong.map(({ heading }) => `docs/runbook.md#${heading}`))].slice(0, NAMED);
    const said = [
      ringing.length > 0 && `in ALARM: ${some(ringing.map(({ name }) => name))}`,
      silent.length > 0 &&
        `without data, so the schedule does not run: ${some(silent.map(({ name }) => name))}`,
    ].filter((one) => one !== false);
    throw new Fault({ what: said.join('; '), advice: `Read ${headings.join(', ')}`, runbook: 'alarms' });
  },
};

const reachTopic: AlarmStep = {
  name: 'alarms reach their topic',
  run: async (examination) => {
    const { alarms, topics, source } = examination;
    needSome(alarms);
    for (const arn of new Set(alarms.flatMap(({ topics: named }) => named))) {
      topics.set(arn, await source.topic(arn));
    }
    const found = [...topics.values()].filter((topic) => topic !== undefined);
    const faults = alarms.flatMap((alarm) => whatKeeps(alarm, examination).map((why) => ({ why, alarm })));
    const reasons = [...new Set(faults.map(({ why }) => why))];
    if (reasons.length === 0) {
      const unread = found.some((topic) => isUnread(topic, alarms)) ? UNREAD : '';
      return `${alarms.length} alarms, ${found.map(({ arn }) => nameOf(arn)).join(', ')}${unread}`;
    }
    const said = reasons.map((why) => {
      const names = faults.filter((one) => one.why === why).map(({ alarm }) => alarm.name);
      return `${names.length === alarms.length ? 'every alarm' : some(names)}: ${why}`;
    });
    throw new Fault({ what: said.join('; '), advice: DRIFTED, runbook: 'alarms' });
  },
};

/** The reasons why an alarm does not reach its topics; empty if it reaches them. */
function whatKeeps(alarm: FoundAlarm, { topics }: AlarmExamination): string[] {
  if (!alarm.isArmed) return ['its actions are disabled'];
  if (alarm.topics.length === 0) return ['it names no topic'];
  return alarm.topics.flatMap((arn) => {
    const topic = topics.get(arn);
    if (topic === undefined) return [`the topic ${nameOf(arn)} does not exist`];
    if (topic.key.endsWith(KEY_OF_AWS)) {
      return [`CloudWatch may not use the key ${KEY_OF_AWS} of ${nameOf(arn)}`];
    }
    if (mayPublish(topic.policy, arn, alarm.arn) !== 'no') return [];
    return [`the policy of ${nameOf(arn)} does not allow CloudWatch to publish`];
  });
}

/** Whether a topic has a key, whose policy is not read, or a policy with a condition that this code does not know. */
function isUnread({ arn, policy, key }: FoundTopic, alarms: readonly FoundAlarm[]): boolean {
  return key !== '' || alarms.some((alarm) => mayPublish(policy, arn, alarm.arn) === 'perhaps');
}

const findSubscribers: AlarmStep = {
  name: 'topic has subscribers',
  run: async ({ alarms, topics }) => {
    needSome(alarms);
    const isUnknown = topics.size === 0 && alarms.some(({ topics: named }) => named.length > 0);
    if (isUnknown) throw new UncheckedError('their topic could not be read');
    const found = [...topics.values()].filter((topic) => topic !== undefined);
    if (found.length === 0) {
      throw new Fault({ what: 'no alarm has a topic', advice: DRIFTED, runbook: 'alarms' });
    }
    const unheard = found.filter(({ confirmed }) => confirmed === 0);
    if (unheard.length > 0) throw unheardOf(unheard);
    const confirmed = found.reduce((sum, topic) => sum + topic.confirmed, 0);
    const pending = found.reduce((sum, topic) => sum + topic.pending, 0);
    return `${confirmed} confirmed ${confirmed === 1 ? 'subscription' : 'subscriptions'}${pending > 0 ? `, ${pending} not yet` : ''}`;
  },
};

function unheardOf(topics: readonly FoundTopic[]): Fault {
  const what = topics.map(({ arn, pending }) =>
    pending === 0
      ? `${nameOf(arn)} has no subscription`
      : `${nameOf(arn)} has only ${pending} unconfirmed ${pending === 1 ? 'subscription' : 'subscriptions'}`,
  );
  const command = `aws sns subscribe --topic-arn ${topics[0]?.arn} --protocol email --notification-endpoint you@example.com`;
  return new Fault({
    what: what.join('; '),
    advice: `Run "${command}", and follow the link in the email`,
    runbook: 'deploy',
  });
}

/** @throws {UncheckedError} an earlier step found no alarm, and has reported it. */
function needSome(alarms: readonly FoundAlarm[]): void {
  if (alarms.length === 0) throw new UncheckedError('no alarm was found');
}

/** The steps in the order in which they run. */
export const ALARM_STEPS: readonly AlarmStep[] = [
  findStack,
  findAlarms,
  lookAtStates,
  reachTopic,
  findSubscribers,
];

function some(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function nameOf(arn: string): string {
  return arn.split(':').at(-1) ?? arn;
}
