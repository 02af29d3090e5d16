import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type MetricName, TIMING } from '../../lib/platform/index.ts';
import type { AlarmBound, AlarmBounds } from './alarm-bound.ts';
import { winnowMetric } from './winnow-metric.ts';

interface SignalBound extends Omit<AlarmBound, 'metric'> {
  readonly statistic: string;
  readonly period: Duration;
}

/** Lags in ms that a busy minute does not explain. */
const LATE = { journal: 2 * 60_000, dispatch: 30_000, look: 3_600_000, due: 10 * 60_000 };
/**
 * The threshold in ms. Journal entries of this age should have been compacted hours ago, but their rows still exist
 * for hours.
 */
const OVERDUE = TIMING.retention + 6 * 3_600_000;
/**
 * The threshold for a queue that rejects every message. After the first attempts, Winnow tries about four times an
 * hour.
 */
const REFUSALS_AN_HOUR = 3;
const THROTTLES_IN_FIVE_MINUTES = 50;
/** A single unchecked login is harmless: the client tries again. */
const UNCHECKED_IN_FIVE_MINUTES = 3;

const SIGNALS: Readonly<Partial<Record<MetricName, SignalBound>>> = {
  JournalLag: {
    what: 'changes wait for dispatch, or the schedule does not run',
    heading: 'Journal lag',
    statistic: 'Maximum',
    period: Duration.minutes(1),
    threshold: LATE.journal,
    periods: 3,
    measured: 'every minute',
  },
  DispatchLag: {
    what: 'messages reach subscribers late',
    heading: 'Dispatch lag',
    statistic: 'p90',
    period: Duration.minutes(5),
    threshold: LATE.dispatch,
    periods: 3,
    measured: 'when it happens',
  },
  FailedSends: {
    what: "a subscriber's queue refuses messages",
    heading: 'Failed sends',
    statistic: 'Sum',
    period: Duration.hours(1),
    threshold: REFUSALS_AN_HOUR,
    periods: 1,
    measured: 'when it happens',
  },
  // It fires before an index can lag for TIMING.relabelWindow; with a longer lag a LIST may miss objects.
  Throttles: {
    what: 'the table or one of its indexes is throttled',
    heading: 'Throttling',
    statistic: 'Sum',
    period: Duration.minutes(5),
    threshold: THROTTLES_IN_FIVE_MINUTES,
    periods: 2,
    measured: 'when it happens',
  },
  OldestEntryAge: {
    what: 'compaction does not advance',
    heading: 'Compaction stalled',
    statistic: 'Maximum',
    period: Duration.hours(1),
    threshold: OVERDUE,
    periods: 1,
    measured: 'every minute',
  },
  LookLag: {
    what: 'objects wait for the garbage collector',
    heading: 'Owners to look at',
    statistic: 'Maximum',
    period: Duration.minutes(5),
    threshold: LATE.look,
    periods: 3,
    measured: 'every minute',
  },
  UndecidedHoles: {
    what: 'resourceVersions stay undecided',
    heading: 'Undecided holes',
    statistic: 'Sum',
    period: Duration.minutes(5),
    threshold: 1,
    periods: 3,
    measured: 'when it happens',
  },
  UncheckedLogins: {
    what: 'the authorizer cannot verify logins, so all logins fail',
    heading: 'Unchecked logins',
    statistic: 'Sum',
    period: Duration.minutes(5),
    threshold: UNCHECKED_IN_FIVE_MINUTES,
    periods: 1,
    measured: 'when it happens',
  },
};

/** Signals of deployments that derive data. */
const OF_DERIVATION: typeof SIGNALS = {
  DueLag: {
    what: 'data that is derived from objects is late',
    heading: 'Derived late',
    statistic: 'Maximum',
    period: Duration.minutes(1),
    threshold: LATE.due,
    periods: 3,
    measured: 'every minute',
  },
};

/** Signals of deployments with an audit queue. */
const OF_AUDIT: typeof SIGNALS = {
  UnsentAuditEvents: {
    what: 'audit events do not reach their queue',
    heading: 'Unsent audit events',
    statistic: 'Sum',
    period: Duration.minutes(5),
    threshold: 1,
    periods: 1,
    measured: 'when it happens',
  },
};

/** Signals of deployments with a canary. */
const OF_CANARY: typeof SIGNALS = {
  CanarySuccess: {
    what: 'the canary fails: changes are not listed or delivered',
    heading: 'Canary',
    statistic: 'Maximum',
    period: Duration.minutes(1),
    threshold: 1,
    isLeast: true,
    periods: 3,
    measured: 'every minute',
  },
};

/** The optional parts that a deployment has. */
export interface Chosen {
  readonly derives: boolean;
  readonly sendsAudit: boolean;
  /** Whether it has a canary. */
  readonly tries: boolean;
}

/** The alarms on metrics that Winnow's functions publish. */
export function signalBounds(scope: Construct, { derives, sendsAudit, tries }: Chosen): AlarmBounds {
  const all = {
    ...SIGNALS,
    ...(derives && OF_DERIVATION),
    ...(sendsAudit && OF_AUDIT),
    ...(tries && OF_CANARY),
  };
  const signals = Object.entries(all) as [MetricName, SignalBound][];
  return Object.fromEntries(
    signals.map(([name, bound]) => [name, { ...bound, metric: winnowMetric(scope, name, bound) }]),
  );
}
