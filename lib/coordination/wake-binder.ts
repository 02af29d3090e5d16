import type { Logger } from '../platform/index.ts';
import { isTooLong } from './hops.ts';
import { idOf } from './internal-messages.ts';
import type { Queues } from './queues.ts';
import { sendAll } from './send.ts';

/** The message of the placement queue: there is work. The binder finds the work in the journals. */
export interface BindMessage {
  /** The number of messages that led to this one. Each was sent by the function that received the message before it. */
  readonly hops: number;
}

export interface WakeOptions {
  readonly queues: Queues;
  /** The URL of the placement queue. */
  readonly queueUrl: string;
  readonly logger: Logger;
}

/** The only message group, so that one function at a time binds pods. */
const GROUP = 'placement';

/**
 * Wakes the binder, once for each `occasion`. If a chain of messages is too long, this ends the chain, and the schedule
 * starts a new one.
 *
 * @throws {Error} the queue did not accept the message
 */
export async function wakeBinder(
  { queues, queueUrl, logger }: WakeOptions,
  occasion: string,
  hops = 0,
): Promise<void> {
  if (isTooLong(hops)) {
    logger.warn('a chain of messages was cut; the next tick continues the work', { hops });
    return;
  }
  const message: BindMessage = { hops };
  await sendAll(queues, queueUrl, [
    { body: JSON.stringify(message), group: GROUP, deduplication: idOf(occasion) },
  ]);
}
