import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/files.ts';
import type { Template } from '../../../infra/local/template.ts';
import { METRICS } from '../../../lib/platform/index.ts';
import { type Properties, properties, resources, synthesized } from './synthesized.ts';

let template: Template;
let alarms: readonly Properties[];
/** The runbook's paragraphs under each of its headings, by the heading's anchor. */
let runbook: ReadonlyMap<string, string>;
beforeAll(async () => {
  template = await synthesized();
  alarms = properties(template, 'AWS::CloudWatch::Alarm');
  const text = await readFile(join(root, 'docs', 'runbook.md'), 'utf8');
  const sections = text.split(/^#{2,3} /m).map((section) => section.split('\n'));
  runbook = new Map(sections.map(([heading = '', ...lines]) => [anchorOf(heading), lines.join('\n')]));
}, 60_000);

const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');
const anchorIn = (alarm: Properties) => /docs\/runbook\.md#(\S+)$/.exec(alarm.AlarmDescription)?.[1] ?? '';
const named = (metric: string) => alarms.find(({ MetricName }) => MetricName === metric);
/** The logical id, without its digest, of the queue that an alarm watches. */
const queueOf = ({ Dimensions }: Properties) => Dimensions[0].Value['Fn::GetAtt'][0].slice(0, -8);
const onQueues = () => alarms.filter(({ Namespace }) => Namespace === 'AWS/SQS');

describe('the alarms', () => {
  it('go off at the first message in any queue where failures are set aside', () => {
    expect(onQueues().map(queueOf).sort()).toEqual([
      'QueuesEventsDeadLetters',
      'QueuesReconcileDeadLetters',
      'QueuesRelayFailures',
      'QueuesScheduleFailures',
    ]);
    for (const alarm of onQueues()) {
      expect(alarm).toMatchObject({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Statistic: 'Maximum',
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold: 1,
        Period: 60,
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
      });
    }
  });

  it('watch what the functions of this stack measure, and nothing under another name', () => {
    const signals = alarms.filter(({ Namespace }) => Namespace === 'Winnow');
    expect(signals.map(({ MetricName }) => MetricName).sort()).toEqual([
      ...['DispatchLag', 'FailedSends', 'JournalLag', 'OldestEntryAge', 'Throttles', 'UndecidedHoles'],
    ]);
    for (const { MetricName, Dimensions } of signals) {
      expect(Object.keys(METRICS)).toContain(MetricName);
      expect(Dimensions).toEqual([{ Name: 'service', Value: 'Winnow' }]);
    }
    expect(signals.length + onQueues().length).toBe(alarms.length);
  });

  it('of what the schedule measures tell when nothing is measured, and the others take that for well', () => {
    const [[topic]] = resources(template, 'AWS::SNS::Topic') as [[string, unknown]];
    for (const alarm of alarms) {
      const scheduled = ['JournalLag', 'OldestEntryAge'].includes(alarm.MetricName);
      expect(alarm.TreatMissingData).toBe(scheduled ? 'missing' : 'notBreaching');
      expect(alarm.InsufficientDataActions).toEqual(scheduled ? [{ Ref: topic }] : undefined);
    }
  });

  it('go off before what they warn of is lost', () => {
    const hour = 3_600;
    // Rows expire 48 hours after they were written; a label index may lag by 15 minutes.
    const { Threshold, Period } = named('OldestEntryAge') ?? {};
    expect(Threshold / 1_000 + Period).toBeLessThan(48 * hour);
    const throttles = named('Throttles');
    expect(throttles?.Period * throttles?.EvaluationPeriods).toBeLessThan(hour / 4);
  });

  it('are published, going off and coming back, to a topic that refuses plain text', () => {
    const [[topic]] = resources(template, 'AWS::SNS::Topic') as [[string, unknown]];
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
    }
    const [policy] = properties(template, 'AWS::SNS::TopicPolicy');
    expect(policy?.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  it('each link a heading of the runbook of their own, with symptoms, checks and a remedy', () => {
    const anchors = alarms.map(anchorIn);
    expect(new Set(anchors).size).toBe(alarms.length);
    for (const anchor of anchors) {
      const section = runbook.get(anchor) ?? `no heading ${anchor}`;
      const parts = [...section.matchAll(/^\*\*(.+?)\.\*\* \S/gm)].map(([, part]) => part);
      expect([anchor, parts]).toEqual([anchor, ['Symptoms', 'Checks', 'Remedy']]);
    }
  });
});
