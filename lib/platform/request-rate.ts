/** The limit of one user's requests. */
export interface RequestRate {
  /** Requests a second, on average. */
  readonly rate: number;
  /** The burst: the requests that a user may send at once after a pause. */
  readonly burst: number;
}

/** The default of a deployment on AWS. */
export const DEFAULT_REQUEST_RATE = '50/200';

const MOST_A_SECOND = 10_000;
const MOST_AT_ONCE = 100_000;

/**
 * Reads `off`, or requests a second and the burst: `50/200`. `50` means `50/200`, a burst of four seconds.
 *
 * @returns undefined for `off`
 * @throws {Error} The text is neither; the message is meant for people.
 */
export function readRequestRate(text: string): RequestRate | undefined {
  if (text === 'off') return undefined;
  const [, rate = '', burst] = /^(\d{1,5})(?:\/(\d{1,6}))?$/.exec(text) ?? [];
  const read = { rate: Number(rate), burst: Number(burst ?? 4 * Number(rate)) };
  if (read.rate >= 1 && read.rate <= MOST_A_SECOND && read.burst >= 1 && read.burst <= MOST_AT_ONCE) {
    return read;
  }
  throw new Error(
    `the request limit of one user (requestsPerUser) is ${JSON.stringify(text)}: it must be off, or requests a second and a burst, ` +
      `such as 50/200, from 1/1 to ${MOST_A_SECOND}/${MOST_AT_ONCE}`,
  );
}
