import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { createMetrics } from '../../../functions/metrics.ts';
import { type MetricName, silentLogger } from '../../../lib/platform/index.ts';
import { capturePrintedLines, type PrintedLines, spellMetrics } from '../../support/service/printed-lines.ts';

let printed: PrintedLines;
beforeEach(() => {
  process.env.POWERTOOLS_SERVICE_NAME = 'Winnow';
  printed = capturePrintedLines();
});
afterEach(() => {
  printed.release();
  delete process.env.POWERTOOLS_SERVICE_NAME;
});

const report = () => {};
const values = (name: MetricName) => printed.metrics.map((line) => line[name]);

describe('The metrics of an invocation', () => {
  it('Metrics are printed at the end of an invocation, also if it failed', async () => {
    const { metrics, publishing } = createMetrics({ logger: silentLogger, report });
    const handler = middy(async (fails: boolean) => {
      metrics.record('FailedSends', 1);
      metrics.record('HolesFilled', 2);
      expect(printed.metrics.length).toBe(fails ? 1 : 0);
      if (fails) throw new Error('as it may');
    }).use(publishing);
    await handler(false, {} as Context);
    await expect(handler(true, {} as Context)).rejects.toThrow('as it may');
    expect([values('FailedSends'), values('HolesFilled')]).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('All values of one metric in an invocation are kept', () => {
    const { metrics, publish } = createMetrics({ logger: silentLogger, report });
    for (const lag of [10, 20, 30]) metrics.record('DispatchLag', lag);
    publish();
    publish();
    expect(values('DispatchLag')).toEqual([[10, 20, 30]]);
  });

  it('Metrics have one dimension at a time', () => {
    createMetrics({ logger: silentLogger, report }).metrics.record('RequestLatency', 7, {
      verb: 'list',
      status: '2xx',
    });
    expect([...spellMetrics(printed.metrics)]).toEqual([
      'Winnow RequestLatency service=Winnow verb=list',
      'Winnow RequestLatency service=Winnow status=2xx',
    ]);
  });

  it('Metrics never keep the dimensions of the previous metric, even if it could not be recorded', () => {
    const { metrics } = createMetrics({ logger: silentLogger, report });
    metrics.record('RequestLatency', 7, { verb: 'list', status: '2xx' });
    metrics.record('RequestLatency', 'long' as unknown as number, { verb: 'watch', status: '5xx' });
    metrics.record('RequestLatency', 8, { verb: 'get', status: '4xx' });
    expect([...spellMetrics(printed.metrics)]).toEqual([
      'Winnow RequestLatency service=Winnow verb=list',
      'Winnow RequestLatency service=Winnow status=2xx',
      'Winnow RequestLatency service=Winnow verb=get',
      'Winnow RequestLatency service=Winnow status=4xx',
    ]);
  });

  it('A metric that cannot be recorded or printed is lost, and nothing else is', () => {
    const lost: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => lost.push(message) };
    const { metrics, publish } = createMetrics({ logger, report });
    metrics.record('Retries', 'many' as unknown as number);
    metrics.record('Retries', 1);
    const write = process.stdout.write;
    process.stdout.write = () => {
      throw new Error('nobody reads');
    };
    publish();
    process.stdout.write = write;
    metrics.record('Retries', 2);
    publish();
    expect(values('Retries')).toEqual([2]);
    expect(lost).toContain('a metric was lost');
  });
});
