import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type MetricName, TIMING } from '../../lib/platform/index.ts';
import type { AlarmBound, AlarmBounds } from './alarm-bound.ts';
import { winnowMetric } from './winnow-metric.ts';

interface SignalBound extends Omit<AlarmBound, 'metric'> {
  readonly statistic: string;
  readonly period: Duration;
}

/** Later than that is no spell of a busy minute. In ms. */
const LATE = { journal: 2 * 60_000, dispatch: 30_000, look: 3_600_000, due: 10 * 60_000 };
/** Entries this old should have been compacted hours ago; their rows still last for hours. In ms. */
const OVERDUE = TIMING.retention + 6 * 3_600_000;
/** Of a queue that keeps refusing: it is tried about four times an hour in the end, and more often at first. */
const REFUSALS_AN_HOUR = 3;
const THROTTLES_IN_FIVE_MINUTES = 50;
/** One is a client's next attempt. */
const UNCHECKED_IN_FIVE_MINUTES = 3;

const SIGNALS: Readonly<Partial<Record<MetricName, SignalBound>>> = {
  JournalLag: {
    what: 'changes wait for dispatch, or the schedule stands still',
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
  // Before an index could lag for TIMING.relabelWindow, beyond which a LIST may miss what it holds.
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
    what: 'objects wait to be collected',
    heading: 'Looks are owed',
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
    what: 'the authorizer cannot tell who asks, so nobody gets in',
    heading: 'Unchecked logins',
    statistic: 'Sum',
    period: Duration.minutes(5),
    threshold: UNCHECKED_IN_FIVE_MINUTES,
    periods: 1,
    measured: 'when it happens',
  },
};

/** What is measured only where something is derived. */
const OF_DERIVATION: typeof SIGNALS = {
  DueLag: {
    what: 'what is derived from objects is late',
    heading: 'Derived late',
    statistic: 'Maximum',
    period: Duration.minutes(1),
    threshold: LATE.due,
    periods: 3,
    measured: 'every minute',
  },
};

/** What is measured only where audit events are sent to a queue. */
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

/** What is measured only where there is a canary. */
const OF_CANARY: typeof SIGNALS = {
  CanarySuccess: {
    what: 'what the canary tries does not work',
    heading: 'Canary',
    statistic: 'Maximum',
    period: Duration.minutes(1),
    threshold: 1,
    isLeast: true,
    periods: 3,
    measured: 'every minute',
  },
};

/** Of what there need not be, which is there. */
export interface Chosen {
  readonly derives: boolean;
  readonly sendsAudit: boolean;
  /** Whether there is a canary. */
  readonly tries: boolean;
}

/** What is wrong with the service itself, by the metrics that its functions publish. */
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
