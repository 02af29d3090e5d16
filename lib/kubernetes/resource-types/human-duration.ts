const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * Below `below`, a duration is told in `unit`, with the rest in `rest` where it is not zero.
 * The steps of k8s.io/apimachinery/pkg/util/duration, HumanDuration.
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
 * Milliseconds as kubectl tells them: `90s`, `5m12s`, `3d4h`. Clocks may disagree by less than two seconds:
 * that is `0s`; further in the future is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  if (milliseconds <= -2 * SECOND || Number.isNaN(milliseconds)) return '<invalid>';
  const duration = Math.max(0, milliseconds);
  const step = STEPS.find(({ below }) => duration < below);
  return step === undefined ? '<invalid>' : tell(duration, step);
}

/** How long ago `timestamp` (RFC 3339) was at `now`; `<unknown>` where there is none. */
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
