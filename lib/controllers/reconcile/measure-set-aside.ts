import type { Queues } from '../../coordination/index.ts';
import { type Clock, type Logger, type Metrics, mapBounded } from '../../platform/index.ts';

export interface SetAsideOptions {
  readonly queues: Pick<Queues, 'attributes'>;
  /** The URLs of the queues. */
  readonly urls: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How often the messages are counted, in minutes. So an alarm that adds up five minutes stays while there are messages. */
export const SET_ASIDE_EVERY = 5;
const AT_ONCE = 4;

/**
 * Creates the function that counts the messages that functions gave up: in dead-letter queues, and in queues of failed
 * stream batches and ticks. The caller calls it every minute; it asks SQS every five minutes, because each request costs
 * money. It returns whether the last count found none.
 */
export function setAsideMeter(options: SetAsideOptions): () => Promise<boolean> {
  let last = { minute: Number.NEGATIVE_INFINITY, isNone: false };
  return async () => {
    const minute = Math.floor(options.clock.now() / 60_000);
    if (minute - last.minute >= SET_ASIDE_EVERY) last = { minute, isNone: (await measure(options)) === 0 };
    return last.isNone;
  };
}

/** Counts the messages. If there are any, it records the metric and logs the names of their queues. */
async function measure({ queues, urls, logger, metrics }: SetAsideOptions): Promise<number> {
  const found = await mapBounded([...urls], AT_ONCE, async (url) => {
    const attributes = await queues.attributes(url);
    return { queue: url.slice(url.lastIndexOf('/') + 1), messages: messagesIn(attributes) };
  });
  const holding = found.filter(({ messages }) => messages > 0);
  if (holding.length === 0) return 0;
  logger.error('messages were set aside; their queues hold them', { queues: holding });
  const count = holding.reduce((sum, { messages }) => sum + messages, 0);
  metrics.record('SetAsideMessages', count);
  return count;
}

/** Visible and received messages. A received one is being looked at by an operator, and may come back. */
function messagesIn(attributes: Readonly<Record<string, string>> = {}): number {
  const { ApproximateNumberOfMessages = 0, ApproximateNumberOfMessagesNotVisible = 0 } = attributes;
  return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
}
