/**
 * The hop limit: the most messages in one chain. A function that works on a long backlog sends itself a message about
 * every 12 s. For a long snapshot it does so every 25 s, for the deletion of a large namespace every 20 s. Ending a
 * chain loses nothing, because `tick` starts another one within a minute.
 */
const MOST_HOPS = 100;

/** Whether a chain of this many messages is too long. A loop costs at most this many messages a minute. */
export function isTooLong(hops: number): boolean {
  return hops > MOST_HOPS;
}
