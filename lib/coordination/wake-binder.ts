import type { Logger } from '../platform/index.ts';
import { isTooLong } from './hops.ts';
import { idOf } from './internal-messages.ts';
import type { Queues } from './queues.ts';
import { sendAll } from './send.ts';

/** On the placement queue: that there is something to look at. What it is the journals tell. */
export interface BindMessage {
  /** How many messages led to this one, each sent by the function that had the one before. */
  readonly hops: number;
}

export interface WakeOptions {
  readonly queues: Queues;
  /** The placement queue. */
  readonly queueUrl: string;
  readonly logger: Logger;
}

/** One group: pods are bound by one function at a time. */
const GROUP = 'placement';

/**
 * Wakes the binder, once for each `occasion`. It ends a chain that is too long; the schedule starts another.
 * @throws what a queue throws that does not take it
 */
export async function wakeBinder(
  { queues, queueUrl, logger }: WakeOptions,
  occasion: string,
  hops = 0,
): Promise<void> {
  if (isTooLong(hops)) {
    logger.warn('a chain of messages was cut; the schedule goes on', { hops });
    return;
  }
  const message: BindMessage = { hops };
  await sendAll(queues, queueUrl, [
    { body: JSON.stringify(message), group: GROUP, deduplication: idOf(occasion) },
  ]);
}
