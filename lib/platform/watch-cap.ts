/** The most functions that an account runs at once, unless AWS raises its quota. */
export const MOST_WATCHES = 1_000;

/**
 * Reads how many watches one user may have open at once.
 *
 * @throws {Error} The text is no such number; the message is meant for people.
 */
export function readWatchCap(given: string | number): number {
  const cap = Number(given === '' ? Number.NaN : given);
  if (Number.isInteger(cap) && cap >= 1 && cap <= MOST_WATCHES) return cap;
  throw new Error(
    `the number of watches that one user may have open is ${JSON.stringify(given)}: it must be a whole number from 1 to ${MOST_WATCHES}`,
  );
}
