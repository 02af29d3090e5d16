import type { Inbox } from '../../coordination/index.ts';
import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { CANARY, type Clock, type Metrics } from '../../platform/index.ts';
import { BEAT } from './object.ts';

export interface DeliverOptions {
  readonly inbox: Inbox;
  readonly queueUrl: string;
  /** Whose message has to be there. */
  readonly beat: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}

/** Of ten messages each: those of two hours, if none was received. */
const ROUNDS = 12;

/**
 * Takes what is in the queue, and measures of each beat how long it took to get there.
 *
 * @throws {Error} the message of the beat is not there, or the queue.
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
  throw new Error(`a change of ${seconds} s ago was told to no queue: ${queueUrl} has no message of it`);
}

/** The beat that an event tells of; undefined where it tells of none, as a bookmark does. */
function beatIn({ type, object }: JsonObject): string | undefined {
  const { name, labels } = metadataOf(objectAt(object));
  const isTold = (type === 'ADDED' || type === 'MODIFIED') && name === CANARY.name;
  const beat = objectAt(labels)[BEAT];
  return isTold && typeof beat === 'string' ? beat : undefined;
}
