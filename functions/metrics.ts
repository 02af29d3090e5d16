import type { Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import type { MiddlewareObj } from '@middy/core';
import {
  type Clock,
  FAILED_INVOCATION,
  type Logger,
  METRICS,
  METRICS_NAMESPACE,
  type MetricDimensions,
  type MetricName,
  type Metrics,
  systemClock,
} from '../lib/platform/index.ts';
import { Faults, type Report } from './faults.ts';

export interface MetricsOptions {
  readonly logger: Logger;
  readonly report: Report;
  readonly clock?: Clock;
  /** Whether an error that the handler throws is a fault; default: every error is. */
  readonly isFault?: (error: Error) => boolean;
}

export interface FunctionMetrics {
  readonly metrics: Metrics;
  /** Prints the recorded metrics, and reports faults among them. Never throws. */
  publish(): void;
  /** Does the same after an invocation or a streamed answer ended, with the error if it failed. */
  ended(error?: Error | null): void;
  /** Publishes at the end of every invocation, including a failed one. */
  readonly publishing: MiddlewareObj;
}

type Printing = typeof import('@aws-lambda-powertools/metrics');

let printing: Printing | undefined;
/** Without a dashboard no metric is printed, so a start does not load what prints them. */
const loading =
  process.env.POWERTOOLS_METRICS_DISABLED === 'true'
    ? undefined
    : import('@aws-lambda-powertools/metrics').then((loaded) => {
        printing = loaded;
      });

/**
 * Creates metrics that are printed as log lines, from which CloudWatch extracts them without a call or a permission. A
 * metric that cannot be recorded is lost, without an effect on the measured work.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createMetrics(options: MetricsOptions): FunctionMetrics {
  const { logger, report, clock = systemClock, isFault = () => true } = options;
  let printer: PowertoolsMetrics | undefined;
  const faults = new Faults({ report, clock });
  let single: PowertoolsMetrics | undefined;
  // One instance for all: it prints each metric at once, and a new instance would take longer than a small request.
  const split = (printer: PowertoolsMetrics) => {
    single ??= printer.singleMetric();
    return single;
  };
  const safely = (act: () => void) => {
    try {
      act();
    } catch (error) {
      logger.warn('a metric was lost', { error });
    }
  };
  /** Metrics of a start that are recorded before what prints them is loaded wait for it. */
  const print = (act: (printer: PowertoolsMetrics) => void) => {
    if (loading === undefined) return;
    if (printing === undefined) {
      loading.then(() => print(act)).catch((error) => logger.warn('a metric was lost', { error }));
      return;
    }
    const { Metrics: Printer } = printing;
    safely(() => {
      printer ??= new Printer({ namespace: METRICS_NAMESPACE });
      act(printer);
    });
  };
  const publish = () => {
    safely(() => faults.publish());
    print((all) => {
      if (all.hasStoredMetrics()) all.publishStoredMetrics();
    });
  };
  const ended = (error?: Error | null) => {
    if (error && isFault(error)) faults.note(FAILED_INVOCATION, 1);
    publish();
  };
  const record = (metric: MetricName, value: number, dimensions?: MetricDimensions) => {
    faults.note(metric, value);
    print((all) => {
      if (dimensions === undefined) {
        all.addMetric(metric, METRICS[metric], value);
      } else {
        splitBy(split(all), dimensions).addMetric(metric, METRICS[metric], value);
      }
    });
  };
  const publishing: MiddlewareObj = { after: publish, onError: ({ error }) => ended(error) };
  return { metrics: { record }, publish, ended, publishing };
}

/**
 * Records each dimension with the service only. All dimensions together would be billed as one metric per
 * combination.
 */
function splitBy(single: PowertoolsMetrics, dimensions: MetricDimensions): PowertoolsMetrics {
  // A metric that could not be recorded may have left dimensions.
  single.clearDimensions();
  for (const [name, value] of Object.entries(dimensions)) single.addDimensions({ [name]: value });
  return single;
}
