const FIRST = 5_000;
const LONGEST = 60_000;

/**
 * The pause before the next attempt of a failed message, in ms, by how often it was received. The first pause is 0,
 * because most failures are brief; then 5, 10, 20, 40 and 60 seconds. So a message group never waits longer than
 * after the crash of a function. The ten attempts before the dead-letter queue take more than five minutes.
 */
export function retryPause(received: number): number {
  return received <= 1 ? 0 : Math.min(FIRST * 2 ** (received - 2), LONGEST);
}
