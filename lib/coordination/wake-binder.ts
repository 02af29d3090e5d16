import type { Logger } from '../platform/index.ts';
import { isTooLong } from './hops.ts';
import { idOf } from './internal-messages.ts';
import type { Queues } from './queues.ts';
import { sendAll } from './send.ts';

/** The message of the placement queue: there is work. The journals say what it is. */
export interface BindMessage {
  /** How many messages led to this one, each sent by the function that received the one before. */
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
 * Wakes the binder, once for each `occasion`. It ends a chain that is too long, and the schedule starts another.
 *
 * @throws {Error} the queue did not accept the message
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
