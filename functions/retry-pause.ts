const FIRST = 5_000;
const LONGEST = 60_000;

/**
 * How long a message that failed waits for its next try, by how often it was received: not at all the first time,
 * for most of what fails is over at once; then 5, 10, 20, 40 and 60 seconds. So its group never waits longer than
 * for a function that died, and the ten tries until it is set aside take more than five minutes. In ms.
 */
export function retryPause(received: number): number {
  return received <= 1 ? 0 : Math.min(FIRST * 2 ** (received - 2), LONGEST);
}
