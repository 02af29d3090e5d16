import { beforeAll, describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../../functions/metrics.ts';
import type { Template } from '../../../infra/local/template.ts';
import {
  METRICS,
  type MetricName,
  OUTCOMES,
  STATUSES,
  silentLogger,
  VERBS,
} from '../../../lib/platform/index.ts';
import { capturePrintedLines, spellMetric, spellMetrics } from '../../support/service/printed-lines.ts';
import { functionOf, properties, resources, synthesized } from './synthesized.ts';

interface Widget {
  readonly type: string;
  readonly properties: { readonly metrics?: readonly (readonly unknown[])[]; readonly alarms?: unknown[] };
}

let template: Template;
let widgets: readonly Widget[];
beforeAll(async () => {
  template = await synthesized({ dashboard: true });
  widgets = widgetsOf(template);
});

/** The widgets of the dashboard's body. Names that only a deployment knows are `?`. */
function widgetsOf({ Resources }: Template): Widget[] {
  const [dashboard] = properties({ Resources }, 'AWS::CloudWatch::Dashboard');
  const parts: unknown[] = dashboard?.DashboardBody['Fn::Join'][1];
  return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : '?')).join('')).widgets;
}

/** The metrics of a namespace in the graphs, each spelled by {@link spellMetric}. */
function graphed(namespace: string, shown: readonly Widget[] = widgets): string[] {
  return shown
    .flatMap(({ properties: { metrics = [] } }) => metrics)
    .map((row) => row.filter((part): part is string => typeof part === 'string'))
    .filter(([first]) => first === namespace)
    .map(([, name = '', ...rest]) => {
      const pairs = rest.flatMap((part, at) => (at % 2 ? [] : [[part, rest[at + 1] ?? ''] as const]));
      return spellMetric(namespace, name, pairs);
    });
}

/** The metrics that a function of the stack publishes if it records every metric. */
function published(): Set<string> {
  const [, { Environment }] = functionOf(template, 'dispatch');
  process.env.POWERTOOLS_SERVICE_NAME = Environment.Variables.POWERTOOLS_SERVICE_NAME;
  const printed = capturePrintedLines();
  try {
    const { metrics, publish } = createMetrics({ logger: silentLogger, report: () => {} });
    for (const name of Object.keys(METRICS) as MetricName[]) metrics.record(name, 1);
    publish();
    for (const [at, verb] of VERBS.entries()) {
      const status = STATUSES[at % STATUSES.length] ?? '2xx';
      metrics.record('RequestLatency', 1, { verb, status });
    }
    for (const outcome of OUTCOMES) {
      metrics.record('PolicyLatency', 1, { outcome });
      metrics.record('WebhookLatency', 1, { outcome });
    }
    return spellMetrics(printed.metrics);
  } finally {
    printed.release();
    delete process.env.POWERTOOLS_SERVICE_NAME;
  }
}

describe('the dashboard', () => {
  it('the dashboard shows only metrics that the functions publish, by name and dimensions', () => {
    const known = published();
    expect(graphed('Winnow').filter((metric) => !known.has(metric))).toEqual([]);
  });

  it('the dashboard shows every metric, the latency of each verb, and responses by status', async () => {
    const all = graphed('Winnow', widgetsOf(await synthesized({ dashboard: true, canary: true }))).join('\n');
    for (const name of Object.keys(METRICS)) expect(all).toContain(`Winnow ${name} service=Winnow`);
    for (const verb of VERBS) expect(all).toContain(`verb=${verb}`);
    for (const status of STATUSES) expect(all).toContain(`status=${status}`);
  });

  it('the dashboard shows canary metrics only with a canary', () => {
    expect(graphed('Winnow').filter((metric) => metric.includes('Canary'))).toEqual([]);
  });

  it('the dashboard shows every alarm', () => {
    const [status] = widgets.filter(({ type }) => type === 'alarm');
    expect(status?.properties.alarms).toHaveLength(resources(template, 'AWS::CloudWatch::Alarm').length);
  });

  it('the dashboard shows all functions, the capacity and throttles of table and indexes, and the queues', () => {
    const lambdas = graphed('AWS/Lambda').map((metric) => metric.split(' ')[1]);
    // The function that only runs during a deployment is excluded.
    const functions = resources(template, 'AWS::Lambda::Function').length - 1;
    for (const name of ['Errors', 'Duration', 'Throttles']) {
      expect(lambdas.filter((one) => one === name)).toHaveLength(functions);
    }
    expect(lambdas).toContain('IteratorAge');
    expect(lambdas.filter((one) => one === 'RecursiveInvocationsDropped')).toHaveLength(2);
    const gateway = graphed('AWS/ApiGateway').map((metric) => metric.split(' ')[1]);
    expect(gateway).toEqual(['5XXError', '4XXError', 'Latency']);
    for (const name of ['WriteThrottleEvents', 'ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits']) {
      expect(graphed('AWS/DynamoDB')).toEqual(
        expect.arrayContaining([
          `AWS/DynamoDB ${name} TableName=?`,
          `AWS/DynamoDB ${name} GlobalSecondaryIndexName=slot-0 TableName=?`,
          `AWS/DynamoDB ${name} GlobalSecondaryIndexName=overflow TableName=?`,
        ]),
      );
    }
    const queues = graphed('AWS/SQS').map((metric) => metric.split(' ')[1]);
    expect(queues.filter((one) => one === 'ApproximateNumberOfMessagesVisible')).toHaveLength(6);
    expect(queues.filter((one) => one === 'ApproximateAgeOfOldestMessage')).toHaveLength(2);
  });

  it('the dashboard shows the same for the optional functions: derive, bind, issue and canary', async () => {
    const chosen = await synthesized({
      dashboard: true,
      derived: ['status'],
      placement: true,
      serviceAccountTokens: true,
      canary: true,
    });
    const shown = widgetsOf(chosen);
    const graphs = (namespace: string, name: string) =>
      graphed(namespace, shown).filter((metric) => metric.split(' ')[1] === name);
    const functions = resources(chosen, 'AWS::Lambda::Function').length - 1;
    for (const name of ['Errors', 'Duration', 'Throttles']) {
      expect(graphs('AWS/Lambda', name)).toHaveLength(functions);
    }
    expect(graphs('AWS/Lambda', 'RecursiveInvocationsDropped')).toHaveLength(4);
    const queues = resources(chosen, 'AWS::SQS::Queue').length;
    expect(graphs('AWS/SQS', 'ApproximateNumberOfMessagesVisible')).toHaveLength(queues);
    expect(graphs('AWS/SQS', 'ApproximateAgeOfOldestMessage')).toHaveLength(4);
  });

  it('without a dashboard, and on an emulator that has none, functions publish no metrics', async () => {
    for (const chosen of [{}, { dashboard: true, emulator: 'localstack' }]) {
      const without = await synthesized(chosen);
      expect(resources(without, 'AWS::CloudWatch::Dashboard')).toEqual([]);
      for (const { Environment } of properties(without, 'AWS::Lambda::Function')) {
        expect(Environment.Variables.POWERTOOLS_METRICS_DISABLED).toBe('true');
      }
    }
    for (const name of ['read', 'dispatch', 'relay', 'authorizer']) {
      expect(functionOf(template, name)[1].Environment.Variables).not.toHaveProperty(
        'POWERTOOLS_METRICS_DISABLED',
      );
    }
  });
});
