import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/files.ts';
import type { Template } from '../../../infra/local/template.ts';
import { FAULT_BOUNDS, FAULTS } from '../../../lib/platform/index.ts';
import { functionOf, type Properties, properties, resources, synthesized } from './synthesized.ts';

let template: Template;
let alarms: readonly Properties[];
/** The runbook's sections by the anchor of their heading. */
let runbook: ReadonlyMap<string, string>;
/** The anchors of the headings under "Alarms". */
let headings: readonly string[];
/** The anchors of the headings under "Reasons of faults". */
let ofFaults: readonly string[];
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
  const below = (title: string) => {
    const [, section = ''] = new RegExp(`^## ${title}$(.*?)^## `, 'ms').exec(text) ?? [];
    return [...section.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  };
  headings = below('Alarms');
  ofFaults = below('Reasons of faults');
  runbook = new Map(sections.map(([heading = '', ...lines]) => [anchorOf(heading), lines.join('\n')]));
});

const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');
const anchorIn = (alarm: Properties) => /docs\/runbook\.md#(\S+)$/.exec(alarm.AlarmDescription)?.[1] ?? '';
/** The logical id of the function that an alarm watches. */
const functionIn = ({ Dimensions }: Properties) => Dimensions?.[0].Value.Ref;
const inNamespace = (namespace: string) => alarms.filter(({ Namespace }) => Namespace === namespace);

describe('the alarms of the stack', () => {
  it('a stack has three alarms, and one more for each optional function with a schedule', async () => {
    const names = (one: Template) => resources(one, 'AWS::CloudWatch::Alarm').map(([id]) => id.slice(6, -8));
    expect(names(await synthesized()).sort()).toEqual(['Faults', 'Schedule', 'ServerErrors']);
    const optional = ['BindSchedule', 'CanarySchedule', 'DeriveSchedule'];
    expect(names(template).sort()).toEqual([...optional, 'Faults', 'Schedule', 'ServerErrors'].sort());
  });

  it('every alarm has one metric, because AWS bills each', () => {
    for (const { MetricName, Metrics } of alarms) {
      expect([typeof MetricName, Metrics]).toEqual(['string', undefined]);
    }
  });

  it('an alarm goes off if the schedule does not invoke a function, for every function with a schedule', () => {
    const scheduled = properties(template, 'AWS::Events::Rule').map(
      ({ Targets }) => Targets[0].Arn['Fn::GetAtt'][0],
    );
    expect(scheduled).toHaveLength(4);
    const schedules = inNamespace('AWS/Lambda');
    expect(schedules.map(functionIn).sort()).toEqual(scheduled.sort());
    for (const alarm of schedules) {
      expect(alarm).toMatchObject({
        // Only asynchronous invocations have it, as those of the schedule are. Those for queues and streams are not.
        MetricName: 'AsyncEventAge',
        Statistic: 'Maximum',
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold: 120_000,
        Period: 60,
        EvaluationPeriods: 3,
      });
    }
  });

  it('reconcile may count the messages of every queue that functions give messages up to, and gets the URLs', () => {
    const ids = resources(template, 'AWS::SQS::Queue').map(([id]) => id);
    const setAside = ids.filter((id) => /DeadLetters|Failures/.test(id));
    expect(setAside).toHaveLength(6);
    const [, { Role }] = functionOf(template, 'reconcile');
    const counting = properties(template, 'AWS::SQS::QueuePolicy').filter(({ PolicyDocument }) =>
      PolicyDocument.Statement.some(
        ({ Sid, Action, Effect, Principal }: Properties) =>
          Sid === 'CountSetAside' &&
          Action === 'sqs:GetQueueAttributes' &&
          Effect === 'Allow' &&
          JSON.stringify(Principal) === JSON.stringify({ AWS: Role }),
      ),
    );
    expect(counting.flatMap(({ Queues }) => Queues.map(({ Ref }: { Ref: string }) => Ref)).sort()).toEqual(
      setAside.sort(),
    );
    const urls = functionOf(template, 'reconcile')[1].Environment.Variables.WINNOW_SET_ASIDE_QUEUE_URLS;
    const refs = urls['Fn::Join'][1].filter((part: unknown) => typeof part === 'object');
    expect(refs.map(({ Ref }: { Ref: string }) => Ref).sort()).toEqual(setAside.sort());
  });

  it('a fault of the stream is reported before relay gives up records', () => {
    const [source] = properties(template, 'AWS::Lambda::EventSourceMapping').filter(
      ({ MaximumRecordAgeInSeconds }) => MaximumRecordAgeInSeconds !== undefined,
    );
    expect(FAULT_BOUNDS.StreamAge?.from).toBeLessThan(1_000 * source?.MaximumRecordAgeInSeconds);
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

  it('alarms on scheduled metrics report missing data, and all others treat missing data as good', () => {
    const [[topic]] = resources(template, 'AWS::SNS::Topic') as [[string, unknown]];
    for (const alarm of alarms) {
      const scheduled = alarm.MetricName === 'AsyncEventAge';
      expect(alarm.TreatMissingData).toBe(scheduled ? 'missing' : 'notBreaching');
      expect(alarm.InsufficientDataActions).toEqual(scheduled ? [{ Ref: topic }] : undefined);
    }
  });

  it('faults are reported before data is lost', () => {
    const hour = 3_600_000;
    // Rows expire 48 hours after they were written. Compaction is checked every minute.
    expect(FAULT_BOUNDS.OldestEntryAge?.from).toBeLessThan(47 * hour);
    // A label index may lag by 15 minutes.
    expect(FAULTS.period).toBeLessThan(hour / 4);
  });

  it('the alarms notify the topic when they go off and when they recover', () => {
    const [[topic]] = resources(template, 'AWS::SNS::Topic') as [[string, unknown]];
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
    }
  });

  it('each alarm links a heading of the runbook, which only alarms of one metric share', () => {
    const byAnchor = Map.groupBy(alarms, anchorIn);
    const shared = [...byAnchor].filter(([, these]) => these.length > 1);
    const metrics = shared.map(([, these]) => [...new Set(these.map(({ MetricName }) => MetricName))]);
    expect(metrics).toEqual([['AsyncEventAge']]);
    expect([...byAnchor.keys()].sort()).toEqual([...headings].sort());
  });

  it('the runbook has symptoms, checks and a remedy for each alarm, and for each reason of a fault', () => {
    const reasons = Object.values(FAULT_BOUNDS).map(({ heading }) => anchorOf(heading));
    const anchors = [...alarms.map(anchorIn).filter((anchor) => anchor !== 'faults'), ...reasons];
    for (const anchor of anchors) {
      const section = runbook.get(anchor) ?? `no heading ${anchor}`;
      const parts = [...section.matchAll(/^\*\*(.+?)\.\*\* \S/gm)].map(([, part]) => part);
      expect([anchor, parts]).toEqual([anchor, ['Symptoms', 'Checks', 'Remedy']]);
    }
  });

  it('the runbook has a heading for the reasons of faults only if there is such a reason', () => {
    const reasons = Object.values(FAULT_BOUNDS).map(({ heading }) => anchorOf(heading));
    expect([...new Set(reasons)].sort()).toEqual([...ofFaults].sort());
  });

  it('the runbook and the alarm have the query that finds the reasons', () => {
    const [faults] = inNamespace('Winnow/Winnow');
    const query = /groups: (.+?)\. See /.exec(faults?.AlarmDescription)?.[1] ?? 'no query';
    for (const text of FAULTS.crashes) expect(query).toContain(text);
    expect(runbook.get('faults')).toContain(query);
    expect(faults?.AlarmDescription.length).toBeLessThan(1_024);
  });
});
