import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/files.ts';
import type { Template } from '../../../infra/local/template.ts';
import { METRICS } from '../../../lib/platform/index.ts';
import { functionOf, type Properties, properties, resources, synthesized } from './synthesized.ts';

let template: Template;
let alarms: readonly Properties[];
/** The runbook's sections by the anchor of their heading. */
let runbook: ReadonlyMap<string, string>;
/** The anchors of the headings under "Alarms". */
let headings: readonly string[];
beforeAll(async () => {
  // The stack has all optional parts.
  template = await synthesized({
    derived: ['status'],
    placement: true,
    serviceAccountTokens: true,
    canary: true,
    auditPolicy: JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'Metadata' }],
    }),
    auditQueue: 'arn:aws:sqs:eu-west-1:111122223333:audit',
  });
  alarms = properties(template, 'AWS::CloudWatch::Alarm');
  const text = await readFile(join(root, 'docs', 'runbook.md'), 'utf8');
  const sections = text.split(/^#{2,3} /m).map((section) => section.split('\n'));
  const [, onAlarms = ''] = /^## Alarms$(.*?)^## /ms.exec(text) ?? [];
  headings = [...onAlarms.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  runbook = new Map(sections.map(([heading = '', ...lines]) => [anchorOf(heading), lines.join('\n')]));
});

const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');
const anchorIn = (alarm: Properties) => /docs\/runbook\.md#(\S+)$/.exec(alarm.AlarmDescription)?.[1] ?? '';
const named = (metric: string) => alarms.find(({ MetricName }) => MetricName === metric);
/** The logical id, without its hash, of the queue that an alarm watches. */
const queueOf = ({ Dimensions }: Properties) => Dimensions[0].Value['Fn::GetAtt'][0].slice(0, -8);
const ofLambda = (metric: string) =>
  alarms.filter(({ Namespace, MetricName }) => Namespace === 'AWS/Lambda' && MetricName === metric);
/** The logical id of the function that an alarm watches. */
const functionIn = ({ Dimensions }: Properties) => Dimensions?.[0].Value.Ref;
const watched = (metric: string) => ofLambda(metric).map(functionIn);
const onQueues = () => alarms.filter(({ Namespace }) => Namespace === 'AWS/SQS');

describe('the alarms of the stack', () => {
  it('an alarm goes off at the first message in any dead-letter or failure queue', () => {
    expect(onQueues().map(queueOf).sort()).toEqual([
      'DerivationDeadLetters',
      'QueuesEventsDeadLetters',
      'QueuesPlacementDeadLetters',
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

  it('the alarms watch only metrics that the functions publish', () => {
    const signals = alarms.filter(({ Namespace }) => Namespace === 'Winnow');
    expect(signals.map(({ MetricName }) => MetricName).sort()).toEqual([
      ...['CanarySuccess', 'DispatchLag', 'DueLag', 'FailedSends', 'JournalLag', 'LookLag', 'OldestEntryAge'],
      'Throttles',
      ...['UncheckedLogins', 'UndecidedHoles', 'UnsentAuditEvents'],
    ]);
    for (const { MetricName, Dimensions } of signals) {
      expect(Object.keys(METRICS)).toContain(MetricName);
      expect(Dimensions).toEqual([{ Name: 'service', Value: 'Winnow' }]);
    }
  });

  it('the alarms watch errors and throttles of every function, and the loop detection of those that send', () => {
    // The settings function is excluded. It runs only during a deployment, which fails with it.
    const all = resources(template, 'AWS::Lambda::Function').map(([id]) => id);
    const every = all.filter((id) => id !== 'WinnowSettingsFunction');
    const [authorizer] = functionOf(template, 'authorizer');
    expect([...watched('Errors'), authorizer].sort()).toEqual(every.sort());
    expect(watched('Throttles').sort()).toEqual(every);
    const sending = ['bind', 'dispatch', 'reconcile', 'derive'].map((name) => functionOf(template, name)[0]);
    expect(watched('RecursiveInvocationsDropped').sort()).toEqual(sending.sort());
  });

  it("the authorizer's error alarm does not count refused tokens", () => {
    const [authorizer] = functionOf(template, 'authorizer');
    const [computed, ...others] = alarms.filter(({ Metrics }) => Metrics !== undefined);
    expect(others).toEqual([]);
    expect(computed).toMatchObject({ Threshold: 3, EvaluationPeriods: 2, TreatMissingData: 'notBreaching' });
    const metrics: Properties[] = computed?.Metrics;
    expect(metrics.filter(({ Expression }) => Expression !== undefined)).toMatchObject([
      { Expression: 'errors - FILL(refused, 0)' },
    ]);
    const used = metrics.flatMap(({ Id, MetricStat, ReturnData }) =>
      MetricStat === undefined
        ? []
        : [[Id, MetricStat.Stat, MetricStat.Period, MetricStat.Metric, ReturnData]],
    );
    const errors = {
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: authorizer } }],
    };
    const refused = {
      Namespace: 'Winnow',
      MetricName: 'RefusedTokens',
      Dimensions: [{ Name: 'service', Value: 'Winnow' }],
    };
    expect(used).toEqual([
      ['errors', 'Sum', 300, errors, false],
      ['refused', 'Sum', 300, refused, false],
    ]);
    expect(ofLambda('Errors').filter(({ Threshold }) => Threshold > 3)).toEqual([]);
  });

  it("on an emulator without metric math, the authorizer's alarm counts refused tokens and has a high threshold", async () => {
    const emulated = await synthesized({ emulator: 'ministack' });
    const [authorizer] = functionOf(emulated, 'authorizer');
    const errors = properties(emulated, 'AWS::CloudWatch::Alarm').filter(
      (alarm) => alarm.MetricName === 'Errors' && functionIn(alarm) === authorizer,
    );
    expect(errors).toMatchObject([{ Threshold: 100 }]);
  });

  it('the stream alarm goes off before relay gives up records', () => {
    const [age, ...others] = ofLambda('IteratorAge');
    expect([functionIn(age ?? {}), others]).toEqual([functionOf(template, 'relay')[0], []]);
    const [source] = properties(template, 'AWS::Lambda::EventSourceMapping').filter(
      ({ MaximumRecordAgeInSeconds }) => MaximumRecordAgeInSeconds !== undefined,
    );
    const late = age?.Threshold / 1_000 + age?.Period * age?.EvaluationPeriods;
    expect(late).toBeLessThan(source?.MaximumRecordAgeInSeconds);
  });

  it("the gateway alarm watches the errors of this stack's API only", () => {
    const [errors, ...others] = alarms.filter(({ Namespace }) => Namespace === 'AWS/ApiGateway');
    expect(others).toEqual([]);
    const [api] = properties(template, 'AWS::ApiGateway::RestApi');
    const [[stage]] = resources(template, 'AWS::ApiGateway::Stage') as [[string, unknown]];
    expect(errors).toMatchObject({
      MetricName: '5XXError',
      Statistic: 'Sum',
      Dimensions: [
        { Name: 'ApiName', Value: api?.Name },
        { Name: 'Stage', Value: { Ref: stage } },
      ],
    });
    expect(api?.Name).toBe('Winnow');
  });

  it('each alarm has one metric on an emulator without metric math', async () => {
    const emulated = await synthesized({ emulator: 'ministack', derived: ['status'], placement: true });
    for (const { MetricName, Metrics } of properties(emulated, 'AWS::CloudWatch::Alarm')) {
      expect([typeof MetricName, Metrics]).toEqual(['string', undefined]);
    }
  });

  it('alarms on scheduled metrics report missing data, and all others treat missing data as good', () => {
    const [[topic]] = resources(template, 'AWS::SNS::Topic') as [[string, unknown]];
    for (const alarm of alarms) {
      const scheduled = ['JournalLag', 'LookLag', 'DueLag', 'OldestEntryAge', 'CanarySuccess'].includes(
        alarm.MetricName,
      );
      expect(alarm.TreatMissingData).toBe(scheduled ? 'missing' : 'notBreaching');
      expect(alarm.InsufficientDataActions).toEqual(scheduled ? [{ Ref: topic }] : undefined);
    }
  });

  it('the alarms go off before data is lost', () => {
    const hour = 3_600;
    // Rows expire 48 hours after they were written. A label index may lag by 15 minutes.
    const { Threshold, Period } = named('OldestEntryAge') ?? {};
    expect(Threshold / 1_000 + Period).toBeLessThan(48 * hour);
    const throttles = named('Throttles');
    expect(throttles?.Period * throttles?.EvaluationPeriods).toBeLessThan(hour / 4);
  });

  it('the alarms notify the topic when they go off and when they recover', () => {
    const [[topic]] = resources(template, 'AWS::SNS::Topic') as [[string, unknown]];
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
    }
  });

  it('each alarm links a heading of the runbook, shared only by one metric of several functions', () => {
    const byAnchor = Map.groupBy(alarms, anchorIn);
    const shared = [...byAnchor].filter(([, these]) => these.length > 1);
    const metrics = shared.map(([, these]) => [...new Set(these.map(({ MetricName }) => MetricName))]);
    expect(metrics.sort()).toEqual([['RecursiveInvocationsDropped'], ['Throttles']]);
    expect([...byAnchor.keys()].sort()).toEqual([...headings].sort());
  });

  it('the runbook has symptoms, checks and a remedy for each alarm', () => {
    for (const anchor of alarms.map(anchorIn)) {
      const section = runbook.get(anchor) ?? `no heading ${anchor}`;
      const parts = [...section.matchAll(/^\*\*(.+?)\.\*\* \S/gm)].map(([, part]) => part);
      expect([anchor, parts]).toEqual([anchor, ['Symptoms', 'Checks', 'Remedy']]);
    }
  });
});
