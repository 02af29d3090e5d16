import { optional } from './optional.ts';

/** The days for which Winnow keeps history; undefined for the default. The deployment has validated the value. */
export function historyDays(): number | undefined {
  const days = optional('historyDays');
  return days === undefined ? undefined : Number(days);
}
