import type { Inbox } from '../../coordination/index.ts';
import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { CANARY, type Clock, type Metrics } from '../../platform/index.ts';
import { BEAT } from './object.ts';

export interface DeliverOptions {
  readonly inbox: Inbox;
  readonly queueUrl: string;
  /** The beat whose message must be in the queue. */
  readonly beat: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}

/** The most receives, of ten messages each: together the messages of two hours. */
const ROUNDS = 12;

/**
 * Receives and deletes the messages in the queue, and records the delivery delay of each beat.
 *
 * @throws {Error} the queue, or the beat's message, is not there.
 */
export async function deliver(options: DeliverOptions): Promise<void> {
  const { inbox, queueUrl, beat, clock, metrics, signal } = options;
  for (let round = 0; round < ROUNDS; round += 1) {
    const received = await inbox.receive(queueUrl, signal);
    if (received.length === 0) break;
    const told = received.flatMap(({ body, sentAt }) => {
      const of = beatIn(JSON.parse(body));
      return of === undefined ? [] : [{ of, delay: Math.max(0, sentAt - Number(of)) }];
    });
    for (const { delay } of told) metrics.record('CanaryDelay', delay);
    await inbox.delete(queueUrl, received);
    if (told.some(({ of }) => of === beat)) return;
  }
  const seconds = Math.round((clock.now() - Number(beat)) / 1_000);
  throw new Error(
    `a change of ${seconds} s ago was not delivered: the queue ${queueUrl} has no message for it`,
  );
}

/** The beat that an event carries; undefined where it carries none, such as a bookmark. */
function beatIn({ type, object }: JsonObject): string | undefined {
  const { name, labels } = metadataOf(objectAt(object));
  const isTold = (type === 'ADDED' || type === 'MODIFIED') && name === CANARY.name;
  const beat = objectAt(labels)[BEAT];
  return isTold && typeof beat === 'string' ? beat : undefined;
}
