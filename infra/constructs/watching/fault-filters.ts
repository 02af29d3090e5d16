import { Stack } from 'aws-cdk-lib';
import { Metric, type MetricProps } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import {
  FAILED_INVOCATION,
  FAULT_BOUNDS,
  FAULTS,
  faultPart,
  faultsNamespace,
} from '../../../lib/platform/index.ts';

/**
 * Lets CloudWatch make the metric `Faults` from log lines: from the faults that functions report, and from Lambda's
 * lines about invocations that ended without an answer. Without such lines the metric has no data and costs nothing.
 */
export function addFaultFilters(scope: Construct, logGroups: readonly ILogGroup[]): void {
  const made = { metricNamespace: faultsNamespace(Stack.of(scope).stackName), metricName: FAULTS.metric };
  const field = `$.${FAULTS.field}`;
  const { count = 1 } = FAULT_BOUNDS[FAILED_INVOCATION] ?? {};
  for (const [at, logGroup] of [...new Set(logGroups)].entries()) {
    new MetricFilter(scope, `Reported${at}`, {
      ...made,
      logGroup,
      filterPattern: FilterPattern.numberValue(field, '>', 0),
      metricValue: field,
    });
    new MetricFilter(scope, `Crashed${at}`, {
      ...made,
      logGroup,
      filterPattern: FilterPattern.anyTerm(...FAULTS.crashes),
      metricValue: String(faultPart(count)),
    });
  }
}

/** The metric `Faults` of the scope's stack. */
export function faultsMetric(scope: Construct, props: Omit<MetricProps, 'namespace' | 'metricName'>): Metric {
  const { stackName } = Stack.of(scope);
  return new Metric({ ...props, namespace: faultsNamespace(stackName), metricName: FAULTS.metric });
}
