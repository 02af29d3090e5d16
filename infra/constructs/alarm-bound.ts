import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * What a metric that is missing means. One that the schedule measures every minute, on an idle stack too, is missing
 * when the schedule stands still, and that is told. One that is measured when something happens is missing when
 * nothing does, and that is well.
 */
type Measured = 'every minute' | 'when it happens';

/** When an alarm goes off. */
export interface AlarmBound {
  readonly metric: IMetric;
  /** Reached by so many periods in a row; or not reached, where that is said. */
  readonly threshold: number;
  readonly isLeast?: boolean;
  readonly periods: number;
  readonly measured: Measured;
  readonly what: string;
  /** Of docs/runbook.md. */
  readonly heading: string;
}

/** Alarms by their ids. */
export type AlarmBounds = Readonly<Record<string, AlarmBound>>;
