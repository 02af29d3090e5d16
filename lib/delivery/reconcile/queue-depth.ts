/** What a queue held, as SQS counts, which is about; attributes of a state row. */
export type QueueDepth = Readonly<Record<'waiting' | 'inFlight' | 'lookedAt', number>>;

/** From a queue's attributes, at `now` in ms since the epoch; undefined where they do not say. */
export function depthOf(
  attributes: Readonly<Record<string, string>> | undefined,
  now: number,
): QueueDepth | undefined {
  const waiting = Number(attributes?.ApproximateNumberOfMessages);
  const inFlight = Number(attributes?.ApproximateNumberOfMessagesNotVisible);
  return Number.isNaN(waiting + inFlight) ? undefined : { waiting, inFlight, lookedAt: now };
}
