import type { MetricName } from './metrics.ts';
import { TIMING } from './timing.ts';

const MINUTE = 60_000;

/** Failed invocations that no metric counts: a handler threw an error. */
export const FAILED_INVOCATION = 'Errors';

/** The reason of a fault: the metric that shows it, or failed invocations. */
export type FaultReason = MetricName | typeof FAILED_INVOCATION;

/** When values of a metric are a fault. */
export interface FaultBound {
  /** A value at or above it is a fault. Absent: each value is a number of faults. */
  readonly from?: number;
  /** A value below it is a fault. */
  readonly below?: number;
  /** This many faults within five minutes set off the alarm. */
  readonly count: number;
  /** A longer time, in ms, within which `count` faults of one process set off the alarm too. */
  readonly within?: number;
  /**
   * In ms: brief faults are harmless. A fault counts once one process has had such faults for this long, without a pause
   * of {@link FAULT_PAUSE}.
   */
  readonly lasting?: number;
  /** The part of an invocation's values that must be faults; default: any. */
  readonly share?: number;
  /** The heading in docs/runbook.md. */
  readonly heading: string;
}

/** The pause in ms after which a fault that returns is a new one. */
export const FAULT_PAUSE = 10 * MINUTE;

/**
 * The faults that functions report, by reason. Thresholds of lags are times in ms that a busy minute does not explain.
 */
export const FAULT_BOUNDS: Readonly<Partial<Record<FaultReason, FaultBound>>> = {
  [FAILED_INVOCATION]: { count: 3, heading: 'Errors of a function' },
  JournalLag: { from: 2 * MINUTE, count: 3, heading: 'Journal lag' },
  DispatchLag: { from: 30_000, count: 1, lasting: 10 * MINUTE, share: 0.1, heading: 'Dispatch lag' },
  // After the first attempts, Winnow sends about four times an hour to a queue that rejects every message.
  FailedSends: { count: 3, within: 60 * MINUTE, heading: 'Failed sends' },
  // It goes off before an index can lag for TIMING.relabelWindow; with a longer lag a LIST may miss objects.
  Throttles: { count: 50, heading: 'Throttling' },
  // Entries of this age should have been compacted hours ago, but their rows still exist for hours.
  OldestEntryAge: { from: TIMING.retention + 6 * 60 * MINUTE, count: 1, heading: 'Compaction stalled' },
  LookLag: { from: 60 * MINUTE, count: 3, heading: 'Owners to look at' },
  DueLag: { from: 10 * MINUTE, count: 3, heading: 'Derived late' },
  UndecidedHoles: { count: 1, lasting: 10 * MINUTE, heading: 'Undecided holes' },
  // A single unchecked login is harmless: the client tries again.
  UncheckedLogins: { count: 3, heading: 'Unchecked logins' },
  UnsentAuditEvents: { count: 1, heading: 'Unsent audit events' },
  CanarySuccess: { below: 1, count: 3, heading: 'Canary' },
  // Lambda drops records that are 15 minutes old.
  StreamAge: { from: 5 * MINUTE, count: 3, heading: 'Age of the stream' },
  SetAsideMessages: { count: 1, heading: 'Messages that were set aside' },
};

/** The metric of the alarm for all faults. CloudWatch makes it from log lines, and bills it only if there are any. */
export const FAULTS = {
  metric: 'Faults',
  /** The field of a log line with the part of the alarm's threshold, which is 1. */
  field: 'faults',
  /** The time in which the alarm adds faults up, in ms. */
  period: 5 * MINUTE,
  /**
   * Texts in Lambda's own log lines about an invocation that ended without an answer. The function itself cannot report
   * it. One such end can write two of these lines.
   */
  crashes: ['Task timed out', 'Runtime exited', 'Runtime.OutOfMemory', 'Uncaught Exception'],
} as const;

/** The part of the alarm's threshold for one of `count` faults, rounded up so that all of them reach it. */
export function faultPart(count: number): number {
  return Math.ceil(100 / count) / 100;
}

/** The CloudWatch namespace of the metric `Faults` of one stack, which has no dimensions. */
export function faultsNamespace(stackName: string): string {
  return `Winnow/${stackName}`;
}
