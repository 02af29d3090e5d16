import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * How often a metric has data. If data of every minute is missing, the schedule has stopped, and the alarm reports
 * that. Other metrics have data only when something happens, so their alarms ignore missing data.
 */
type Measured = 'every minute' | 'when it happens';

/** The condition of an alarm. */
export interface AlarmBound {
  readonly metric: IMetric;
  /** The alarm fires if this many periods in a row reach the threshold. */
  readonly threshold: number;
  readonly periods: number;
  readonly measured: Measured;
  readonly what: string;
  /** The heading in docs/runbook.md. */
  readonly heading: string;
}

/** Alarms by their ids. */
export type AlarmBounds = Readonly<Record<string, AlarmBound>>;
