const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * The steps of duration formats. A duration below `below` is shown in `unit`, and the remainder in `rest` unless it
 * is zero. Follows HumanDuration of k8s.io/apimachinery/pkg/util/duration.
 */
const STEPS: readonly {
  readonly below: number;
  readonly unit: readonly [number, string];
  readonly rest?: readonly [number, string];
}[] = [
  { below: 2 * MINUTE, unit: [SECOND, 's'] },
  { below: 10 * MINUTE, unit: [MINUTE, 'm'], rest: [SECOND, 's'] },
  { below: 3 * HOUR, unit: [MINUTE, 'm'] },
  { below: 8 * HOUR, unit: [HOUR, 'h'], rest: [MINUTE, 'm'] },
  { below: 2 * DAY, unit: [HOUR, 'h'] },
  { below: 8 * DAY, unit: [DAY, 'd'], rest: [HOUR, 'h'] },
  { below: 2 * YEAR, unit: [DAY, 'd'] },
  { below: 8 * YEAR, unit: [YEAR, 'y'], rest: [DAY, 'd'] },
  { below: Number.POSITIVE_INFINITY, unit: [YEAR, 'y'] },
];

/**
 * Formats milliseconds as kubectl does: `90s`, `5m12s`, `3d4h`. Less than two seconds in the future is `0s`, because
 * clocks may differ. Further in the future is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  if (milliseconds <= -2 * SECOND || Number.isNaN(milliseconds)) return '<invalid>';
  const duration = Math.max(0, milliseconds);
  const step = STEPS.find(({ below }) => duration < below);
  return step === undefined ? '<invalid>' : tell(duration, step);
}

/** Formats the age of `timestamp` (RFC 3339) at `now`; `<unknown>` if it is empty. */
export function humanAge(timestamp: string, now: number): string {
  return timestamp === '' ? '<unknown>' : humanDuration(now - Date.parse(timestamp));
}

function tell(duration: number, { unit, rest }: (typeof STEPS)[number]): string {
  const whole = Math.floor(duration / unit[0]);
  const remainder = rest === undefined ? 0 : Math.floor((duration % unit[0]) / rest[0]);
  return rest === undefined || remainder === 0
    ? `${whole}${unit[1]}`
    : `${whole}${unit[1]}${remainder}${rest[1]}`;
}
