/** The approximate number of messages in a queue, as SQS counts them; attributes of a state row. */
export type QueueDepth = Readonly<Record<'waiting' | 'inFlight' | 'lookedAt', number>>;

/** Reads the depth from a queue's attributes, at `now` in ms since the epoch; undefined if they lack it. */
export function depthOf(
  attributes: Readonly<Record<string, string>> | undefined,
  now: number,
): QueueDepth | undefined {
  const waiting = Number(attributes?.ApproximateNumberOfMessages);
  const inFlight = Number(attributes?.ApproximateNumberOfMessagesNotVisible);
  return Number.isNaN(waiting + inFlight) ? undefined : { waiting, inFlight, lookedAt: now };
}
