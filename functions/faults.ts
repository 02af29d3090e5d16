import {
  type Clock,
  FAULT_BOUNDS,
  FAULT_PAUSE,
  FAULTS,
  type FaultBound,
  type FaultReason,
  faultPart,
  type LogData,
} from '../lib/platform/index.ts';

/** Writes an error line, whatever the log level is. */
export type Report = (message: string, data: LogData) => void;

export interface FaultsOptions {
  readonly report: Report;
  readonly clock: Clock;
}

/** The values of one metric in an invocation. */
interface Seen {
  readonly bound: FaultBound;
  values: number;
  /** How many of the values are faults, or the sum of a metric that counts faults. */
  faults: number;
  worst: number;
}

/** What this process remembers of a reason. */
interface Remembered {
  /** The times of its faults within `within`, in ms since the epoch. */
  readonly times: number[];
  /** When the present series of faults began and when its newest one was. */
  since: number;
  last: number;
}

/**
 * The faults of a function. Each reason with faults in an invocation becomes one log line. CloudWatch makes the metric
 * `Faults` from the field `faults` of these lines: the part of the alarm's threshold.
 */
export class Faults {
  readonly #report: Report;
  readonly #clock: Clock;
  readonly #seen = new Map<FaultReason, Seen>();
  readonly #remembered = new Map<FaultReason, Remembered>();

  constructor({ report, clock }: FaultsOptions) {
    this.#report = report;
    this.#clock = clock;
  }

  /** Notes a value of a metric, or a number of faults. */
  note(reason: FaultReason, value: number): void {
    const bound = FAULT_BOUNDS[reason];
    if (bound === undefined) return;
    const seen = this.#seen.get(reason) ?? { bound, values: 0, faults: 0, worst: value };
    seen.values += 1;
    seen.faults += faultsIn(bound, value);
    seen.worst = bound.below === undefined ? Math.max(seen.worst, value) : Math.min(seen.worst, value);
    this.#seen.set(reason, seen);
  }

  /** Reports the faults since the last call. */
  publish(): void {
    for (const [reason, seen] of this.#seen) {
      const { bound, faults, values, worst } = seen;
      const isFaulty = faults > 0 && faults >= (bound.share ?? 0) * values;
      if (!isFaulty && bound.lasting !== undefined) this.#remembered.delete(reason);
      const part = isFaulty ? this.#partOf(reason, seen) : 0;
      if (part === 0) continue;
      this.#report('a fault', {
        fault: reason,
        [FAULTS.field]: part,
        count: faults,
        worst,
        see: anchorOf(bound),
      });
    }
    this.#seen.clear();
  }

  #partOf(reason: FaultReason, { bound, faults }: Seen): number {
    const { count, within, lasting } = bound;
    const now = this.#clock.now();
    const known = this.#remembered.get(reason);
    const continues = known !== undefined && now - known.last < FAULT_PAUSE;
    const times = within === undefined ? [] : (known?.times ?? []).filter((time) => now - time < within);
    if (within !== undefined) for (let at = 0; at < Math.min(faults, count); at += 1) times.push(now);
    const since = continues ? known.since : now;
    this.#remembered.set(reason, { times, since, last: now });
    if (lasting !== undefined) return now - since >= lasting ? 1 : 0;
    if (within !== undefined && times.length >= count) return 1;
    return Math.round(faults * faultPart(count) * 100) / 100;
  }
}

function faultsIn({ from, below }: FaultBound, value: number): number {
  if (from !== undefined) return value >= from ? 1 : 0;
  if (below !== undefined) return value < below ? 1 : 0;
  return value;
}

function anchorOf({ heading }: FaultBound): string {
  return `docs/runbook.md#${heading.toLowerCase().replaceAll(' ', '-')}`;
}
