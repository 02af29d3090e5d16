/** The fewest and the most days of history. */
export const HISTORY_DAYS = { least: 1, most: 35 } as const;

/**
 * Reads the days for which Winnow keeps history.
 *
 * @throws {Error} The number is out of bounds; the message is meant for people.
 */
export function readHistoryDays(given: number | string): number {
  const { least, most } = HISTORY_DAYS;
  const days = typeof given === 'number' ? given : /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isInteger(days) && days >= least && days <= most) return days;
  throw new Error(
    `the days of history are ${JSON.stringify(given)}: it must be a whole number from ${least} to ${most}`,
  );
}
