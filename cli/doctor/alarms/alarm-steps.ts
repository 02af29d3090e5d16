import { Fault, UncheckedError } from '../../connection/index.ts';
import type { AlarmExamination, AlarmStep } from './alarm-examination.ts';
import type { FoundAlarm, FoundTopic } from './alarm-source.ts';
import { mayPublish } from './may-publish.ts';

/** ms that a measure of every minute may be missing in a stack that was just deployed. */
const FRESH = 10 * 60_000;
/** How many are named. */
const NAMED = 5;
/** CloudFormation compares templates, so deploying the same one again changes nothing. */
const DRIFTED =
  'Have CloudFormation undo what was changed by hand ("aws cloudformation create-change-set --deployment-mode REVERT_DRIFT")';

/** The key that CloudWatch may not use: its policy is AWS' and names no other service. */
const KEY_OF_AWS = 'alias/aws/sns';

const UNREAD = '; its key, or a condition of its policy, may still keep CloudWatch out';

const findStack: AlarmStep = {
  name: 'find the stack',
  required: true,
  run: async (examination) => {
    const { stackName, source } = examination;
    const expected = await source.expected();
    if (expected === undefined) {
      throw new Fault({
        what: `there is no stack ${stackName}`,
        advice: 'Are the account and the region right? --stack takes its name',
      });
    }
    if (expected.length === 0) {
      throw new Fault({ what: `the stack ${stackName} has no alarms`, advice: 'Is it a Winnow? --stack' });
    }
    examination.expected = expected;
    return `${stackName}, with ${expected.length} alarms`;
  },
};

const findAlarms: AlarmStep = {
  name: 'alarms are there',
  run: async (examination) => {
    const { source, expected } = examination;
    examination.alarms = await source.alarms(expected);
    const there = new Set(examination.alarms.map(({ name }) => name));
    const missing = expected.filter((name) => !there.has(name));
    if (missing.length === 0) return `all ${expected.length}`;
    throw new Fault({
      what: `${missing.length} of ${expected.length} are gone: ${some(missing)}`,
      advice: `${DRIFTED}, or make the alarms again by hand`,
      runbook: 'alarms',
    });
  },
};

const lookAtStates: AlarmStep = {
  name: 'their states',
  run: async ({ alarms, now }) => {
    needSome(alarms);
    const ringing = alarms.filter(({ state }) => state === 'ALARM');
    const unmeasured = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA');
    const silent = unmeasured.filter(({ tellsSilence, since }) => tellsSilence && now - since > FRESH);
    const wrong = [...ringing, ...silent];
    if (wrong.length === 0) {
      const quiet = unmeasured.length === 0 ? '' : `, ${unmeasured.length} have measured nothing yet`;
      return `${alarms.length - unmeasured.length} are OK${quiet}`;
    }
    const headings = [...new Set(wrong.map(({ heading }) => `docs/runbook.md#${heading}`))].slice(0, NAMED);
    const said = [
      ringing.length > 0 && `gone off: ${some(ringing.map(({ name }) => name))}`,
      silent.length > 0 &&
        `nothing is measured, so the schedule stands still: ${some(silent.map(({ name }) => name))}`,
    ].filter((one) => one !== false);
    throw new Fault({ what: said.join('; '), advice: `Read ${headings.join(', ')}`, runbook: 'alarms' });
  },
};

const reachTopic: AlarmStep = {
  name: 'they reach their topic',
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

/** Why what an alarm has to say does not come to a topic; nothing where it does. */
function whatKeeps(alarm: FoundAlarm, { topics }: AlarmExamination): string[] {
  if (!alarm.isArmed) return ['its actions are switched off'];
  if (alarm.topics.length === 0) return ['it tells no topic'];
  return alarm.topics.flatMap((arn) => {
    const topic = topics.get(arn);
    if (topic === undefined) return [`there is no topic ${nameOf(arn)}`];
    if (topic.key.endsWith(KEY_OF_AWS)) {
      return [`CloudWatch may not use the key ${KEY_OF_AWS} of ${nameOf(arn)}`];
    }
    if (mayPublish(topic.policy, arn, alarm.arn) !== 'no') return [];
    return [`the policy of ${nameOf(arn)} does not let CloudWatch publish`];
  });
}

/** Whether there is a policy that this does not understand, or does not read. */
function isUnread({ arn, policy, key }: FoundTopic, alarms: readonly FoundAlarm[]): boolean {
  return key !== '' || alarms.some((alarm) => mayPublish(policy, arn, alarm.arn) === 'perhaps');
}

const findSubscribers: AlarmStep = {
  name: 'somebody hears them',
  run: async ({ alarms, topics }) => {
    needSome(alarms);
    const isUnknown = topics.size === 0 && alarms.some(({ topics: named }) => named.length > 0);
    if (isUnknown) throw new UncheckedError('their topic could not be read');
    const found = [...topics.values()].filter((topic) => topic !== undefined);
    if (found.length === 0) {
      throw new Fault({ what: 'there is no topic', advice: DRIFTED, runbook: 'alarms' });
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
      ? `nobody has subscribed to ${nameOf(arn)}`
      : `of ${nameOf(arn)}, ${pending === 1 ? 'a subscription waits' : `${pending} subscriptions wait`} to be confirmed`,
  );
  const command = `aws sns subscribe --topic-arn ${topics[0]?.arn} --protocol email --notification-endpoint you@example.com`;
  return new Fault({
    what: what.join('; '),
    advice: `Run "${command}", and follow the link in the message that comes`,
    runbook: 'deploy',
  });
}

/** @throws {UncheckedError} they could not be read, or are gone: the step before says so. */
function needSome(alarms: readonly FoundAlarm[]): void {
  if (alarms.length === 0) throw new UncheckedError('no alarm is known');
}

/** In the order they are taken. */
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
