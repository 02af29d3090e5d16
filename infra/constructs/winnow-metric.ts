import { type Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE, type MetricDimensions, type MetricName } from '../../lib/platform/index.ts';

export interface WinnowMetricProps {
  /** As CloudWatch spells it: `Maximum`, `Sum`, `p95` … */
  readonly statistic: string;
  readonly period: Duration;
  /** One of the dimensions, and its value; the whole stack's without. */
  readonly by?: Partial<MetricDimensions>;
  readonly label?: string;
}

/** A metric that the functions of the scope's stack publish. */
export function winnowMetric(scope: Construct, metricName: MetricName, props: WinnowMetricProps): Metric {
  const { by, ...rest } = props;
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { service: Stack.of(scope).stackName, ...by },
    ...rest,
  });
}
