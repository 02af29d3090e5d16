import { type Duration, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE, type MetricDimensions, type MetricName } from '../../../lib/platform/index.ts';

export interface WinnowMetricProps {
  /** The CloudWatch name: `Maximum`, `Sum`, `p95`, … */
  readonly statistic: string;
  readonly period: Duration;
  /** A dimension with its value; absent for the whole stack. */
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
