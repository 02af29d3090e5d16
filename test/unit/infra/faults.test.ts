import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createLogger } from '../../../functions/logger.ts';
import { createMetrics, type MetricsOptions } from '../../../functions/metrics.ts';
import type { Template } from '../../../infra/local/template.ts';
import { FAILED_INVOCATION, FAULT_BOUNDS, FAULTS, type MetricName } from '../../../lib/platform/index.ts';
import { capturePrintedLines, type PrintedLines } from '../../support/service/printed-lines.ts';
import { filteredMetrics } from '../../support/template/metric-filters.ts';
import { MovableClock } from '../../support/watch/real-world.ts';
import { functionOf, type Properties, properties, resources, synthesized } from './synthesized.ts';

const MINUTE = 60_000;

let template: Template;
let alarm: Properties;
let printed: PrintedLines;
let clock: MovableClock;
beforeAll(async () => {
  template = await synthesized({
    derived: ['status'],
    placement: true,
    serviceAccountTokens: true,
    canary: true,
  });
  alarm =
    properties(template, 'AWS::CloudWatch::Alarm').find(({ MetricName }) => MetricName === 'Faults') ?? {};
});
beforeEach(() => {
  process.env.POWERTOOLS_METRICS_DISABLED = 'true';
  clock = new MovableClock();
  printed = capturePrintedLines({ errors: true });
});
afterEach(() => {
  printed.release();
  delete process.env.POWERTOOLS_METRICS_DISABLED;
  delete process.env.POWERTOOLS_LOG_LEVEL;
});

const logGroupOf = (name: string): string => functionOf(template, name)[1].LoggingConfig.LogGroup.Ref;

/** The metric of the alarm, made of the log lines of one function. */
function sumOf(lines: readonly string[], name = 'dispatch'): number {
  const sums = filteredMetrics(template, logGroupOf(name), lines);
  return sums[`${alarm.Namespace} ${alarm.MetricName}`] ?? 0;
}

/** Whether the lines that were printed set off the alarm, if they all are in one of its periods. */
const goesOff = () => sumOf(printed.logs.map((line) => JSON.stringify(line))) >= alarm.Threshold;

const metricsOf = (more: Partial<MetricsOptions> = {}) => {
  const { logger, report } = createLogger('dispatch');
  return createMetrics({ logger, report, clock, ...more });
};

/** Invocations, a minute after one another, that record these values. */
function invoke(metric: MetricName, ...invocations: readonly (readonly number[])[]): boolean {
  const { metrics, publish } = metricsOf();
  for (const values of invocations) {
    for (const value of values) metrics.record(metric, value);
    publish();
    clock.advance(MINUTE);
  }
  return goesOff();
}

const times = (count: number, value: number) => Array.from({ length: count }, () => [value]);

type Invocations = readonly (readonly number[])[];

/** For each metric with faults: what sets off the alarm, and what does not. */
const CASES: readonly (readonly [metric: MetricName, off: Invocations, quiet: Invocations])[] = [
  ['JournalLag', times(3, 120_000), [...times(2, 120_000), ...times(3, 119_999)]],
  ['OldestEntryAge', times(1, 30 * 60 * MINUTE), times(9, 30 * 60 * MINUTE - 1)],
  ['LookLag', times(3, 60 * MINUTE), times(2, 60 * MINUTE)],
  ['DueLag', times(3, 10 * MINUTE), times(2, 10 * MINUTE)],
  ['FailedSends', times(3, 1), times(2, 1)],
  ['Throttles', times(50, 1), times(49, 1)],
  ['UncheckedLogins', times(3, 1), times(2, 1)],
  ['UnsentAuditEvents', [[2]], [[0]]],
  ['CanarySuccess', times(3, 0), [...times(2, 0), ...times(9, 1)]],
  ['StreamAge', times(3, 5 * MINUTE), times(2, 5 * MINUTE)],
  ['SetAsideMessages', [[1]], []],
  ['UndecidedHoles', times(11, 1), times(10, 1)],
  ['DispatchLag', times(11, 30_000), [...times(10, 30_000), [1], ...times(10, 30_000)]],
];

describe('the alarm on faults', () => {
  it('the alarm adds up the faults of five minutes and goes off at 1', () => {
    expect(alarm).toMatchObject({
      Namespace: 'Winnow/Winnow',
      Statistic: 'Sum',
      Period: 300,
      EvaluationPeriods: 1,
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    });
    expect([alarm.Dimensions, alarm.Metrics]).toEqual([undefined, undefined]);
  });

  it.each(CASES)('%s sets off the alarm, and less of it does not', (metric, off, quiet) => {
    expect(invoke(metric, ...quiet)).toBe(false);
    printed.release();
    printed = capturePrintedLines({ errors: true });
    expect(invoke(metric, ...off)).toBe(true);
  });

  it('every reason of a fault has a case here', () => {
    const here = [...CASES.map(([metric]) => metric), FAILED_INVOCATION];
    expect(here.sort()).toEqual(Object.keys(FAULT_BOUNDS).sort());
  });

  it('three failed sends within an hour set off the alarm, also a quarter of an hour after one another', () => {
    const { metrics, publish } = metricsOf();
    const parts = [1, 2, 3].map(() => {
      metrics.record('FailedSends', 1);
      publish();
      clock.advance(15 * MINUTE);
      return printed.logs.at(-1)?.faults;
    });
    expect(parts).toEqual([0.34, 0.34, 1]);
  });

  it('late messages that are less than a tenth of an invocation are no fault', () => {
    const mixed = [30_000, ...Array.from({ length: 10 }, () => 5)];
    expect(invoke('DispatchLag', ...Array.from({ length: 20 }, () => mixed))).toBe(false);
  });

  it('late messages half an hour apart are separate faults, which are brief', () => {
    const { metrics, publish } = metricsOf();
    for (let at = 0; at < 5; at += 1) {
      metrics.record('DispatchLag', 60_000);
      publish();
      clock.advance(30 * MINUTE);
    }
    expect(printed.logs).toEqual([]);
  });

  it('three invocations that throw set off the alarm, two do not', async () => {
    const { publishing } = metricsOf();
    const handler = middy(async () => {
      throw new Error('as it may');
    }).use(publishing);
    for (const off of [false, false, true]) {
      await expect(handler({}, {} as Context)).rejects.toThrow('as it may');
      expect(goesOff()).toBe(off);
    }
  });

  it('a streamed answer that ends with an error counts as a failed invocation', () => {
    const { ended } = metricsOf();
    ended(null);
    ended(new Error('reset'));
    expect(printed.logs).toMatchObject([
      { fault: 'Errors', faults: 0.34, see: expect.stringContaining('runbook') },
    ]);
  });

  it('the authorizer reports no fault for an error that its metrics count', async () => {
    const { publishing } = metricsOf({ isFault: () => false });
    const handler = middy(async () => {
      throw new Error('Unauthorized');
    }).use(publishing);
    for (let at = 0; at < 9; at += 1) {
      await expect(handler({}, {} as Context)).rejects.toThrow('Unauthorized');
    }
    expect(printed.logs).toEqual([]);
  });

  it.each(['CRITICAL', 'SILENT'])('faults are printed with log level %s', (level) => {
    process.env.POWERTOOLS_LOG_LEVEL = level;
    expect(invoke('UnsentAuditEvents', [1])).toBe(true);
  });

  it.each(FAULTS.crashes)('three lines of Lambda with "%s" set off the alarm, for every function', (text) => {
    const line = `2026-11-28T10:00:00Z 1b5e RequestId: 1b5e Error: ${text} after 3.05 seconds`;
    const names = [
      'read',
      'write',
      'place',
      'fill',
      'relay',
      'dispatch',
      'reconcile',
      'bind',
      'derive',
      'issue',
      'canary',
    ];
    for (const name of [...names, 'authorizer']) {
      expect([name, sumOf([line, line], name) >= alarm.Threshold]).toEqual([name, false]);
      expect([name, sumOf([line, line, line], name) >= alarm.Threshold]).toEqual([name, true]);
    }
  });

  it('ordinary lines are no faults', () => {
    const lines = [
      'REPORT RequestId: 1b5e Duration: 3.05 ms',
      '{"level":"INFO","message":"delivered changes"}',
      '{"faults":0}',
    ];
    expect(sumOf(lines)).toBe(0);
  });

  it('functions that share a log group have its filters once', async () => {
    const auditPolicy = JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'Metadata' }],
    });
    const shared = await synthesized({ auditPolicy, auditLogRetention: 365 });
    const groups = properties(shared, 'AWS::Logs::MetricFilter').map(({ LogGroupName, FilterPattern }) =>
      JSON.stringify([LogGroupName, FilterPattern]),
    );
    expect(new Set(groups).size).toBe(groups.length);
    const used = new Set(
      properties(shared, 'AWS::Lambda::Function').map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref),
    );
    used.delete(functionOf(shared, 'settings-guard')[1].LoggingConfig.LogGroup.Ref);
    expect(groups).toHaveLength(2 * used.size);
  });

  it('an emulator whose metric filters were not tried gets none', async () => {
    const emulated = await synthesized({ emulator: 'ministack' });
    expect(resources(emulated, 'AWS::Logs::MetricFilter')).toEqual([]);
  });
});
