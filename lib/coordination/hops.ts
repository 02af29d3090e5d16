/**
 * How many messages may follow from each other: a long backlog goes on by a message to itself about every 12 s, a long
 * snapshot every 25 s, the deletion of a large namespace every 20 s. A chain that is cut loses nothing: the schedule
 * begins another one within a minute.
 */
const MOST_HOPS = 100;

/** Whether so many messages that led to this one are too many: a loop costs this much a minute, and not more. */
export function isTooLong(hops: number): boolean {
  return hops > MOST_HOPS;
}
