import { Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import type { MiddlewareObj } from '@middy/core';
import {
  type Logger,
  METRICS,
  METRICS_NAMESPACE,
  type MetricDimensions,
  type MetricName,
  type Metrics,
} from '../lib/platform/index.ts';

export interface FunctionMetrics {
  readonly metrics: Metrics;
  /** Prints the recorded metrics. Never throws. */
  publish(): void;
  /** Publishes at the end of every invocation, including a failed one. */
  readonly publishing: MiddlewareObj;
}

/**
 * Creates metrics that are printed as log lines, from which CloudWatch extracts them without a call or a permission. A
 * metric that cannot be recorded is lost, without an effect on the measured work.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createMetrics(logger: Logger): FunctionMetrics {
  const powertools = new PowertoolsMetrics({ namespace: METRICS_NAMESPACE });
  let single: PowertoolsMetrics | undefined;
  // One instance for all: it prints each metric at once, and a new instance would take longer than a small request.
  const split = () => {
    single ??= powertools.singleMetric();
    return single;
  };
  const safely = (act: () => void) => {
    try {
      act();
    } catch (error) {
      logger.warn('a metric was lost', { error });
    }
  };
  const publish = () =>
    safely(() => {
      if (powertools.hasStoredMetrics()) powertools.publishStoredMetrics();
    });
  const record = (metric: MetricName, value: number, dimensions?: MetricDimensions) =>
    safely(() => {
      if (dimensions === undefined) {
        powertools.addMetric(metric, METRICS[metric], value);
      } else {
        splitBy(split(), dimensions).addMetric(metric, METRICS[metric], value);
      }
    });
  return { metrics: { record }, publish, publishing: { after: publish, onError: publish } };
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
