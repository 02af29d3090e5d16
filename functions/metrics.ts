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
  /** Prints what was recorded. Never throws. */
  publish(): void;
  /** Publishes at the end of every invocation, also of one that failed. */
  readonly publishing: MiddlewareObj;
}

/**
 * Metrics as lines of the log, from which CloudWatch takes them: no call is made and no permission needed. A metric
 * that cannot be recorded is lost, and whatever was measured goes on.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createMetrics(logger: Logger): FunctionMetrics {
  const powertools = new PowertoolsMetrics({ namespace: METRICS_NAMESPACE });
  let single: PowertoolsMetrics | undefined;
  // It prints each metric at once and then forgets it. A new one would take longer than the rest of a small request.
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

/** Each dimension beside the service alone: all together would be billed as a metric for every combination. */
function splitBy(single: PowertoolsMetrics, dimensions: MetricDimensions): PowertoolsMetrics {
  // Of a metric that could not be recorded.
  single.clearDimensions();
  for (const [name, value] of Object.entries(dimensions)) single.addDimensions({ [name]: value });
  return single;
}
