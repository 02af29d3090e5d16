/** How long Winnow delivers for a user that makes no more requests. All times are in ms. */
export interface AuthorLife {
  /** Delivery stops after this time without a request of the user. */
  readonly ends: number;
  /** Winnow announces the end this long before. */
  readonly announced: number;
  /** Winnow records a user's requests at most once in this time. */
  readonly noted: number;
}

/** The default of the setting. */
export const AUTHOR_LIFE = '30d';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const LONGEST = 3_650 * DAY;

/**
 * Reads the time after which delivery for an absent user ends: `30d`, `12h`, `90s`.
 *
 * @throws {Error} The text is no such time; the message is meant for people.
 */
export function readAuthorLife(text: string): AuthorLife {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ends = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (!(ends >= SECOND && ends <= LONGEST)) {
    throw new Error(
      `the time after which delivery ends for an absent user is ${JSON.stringify(text)}: it must be a number of ` +
        's, m, h or d, such as 30d, from 1s to 3650d',
    );
  }
  // A short time is meant for tests: the end is still announced, and requests are still recorded.
  return { ends, announced: Math.min(7 * DAY, ends / 2), noted: Math.min(HOUR, ends / 8) };
}
