import type { Logger, Metrics } from '../platform/index.ts';
import { isTooLong } from './hops.ts';
import { type ReconcileMessage, reconcileMessage } from './internal-messages.ts';
import type { QueueMessage, Queues } from './queues.ts';
import { sendInOrder } from './send.ts';

export interface ReconcileRequestsOptions {
  readonly queues: Queues;
  readonly reconcileQueueUrl: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/**
 * What dispatch has to tell reconcile of one turn, sent together once the turn's result is stored. What is not sent
 * is found by the schedule, so it never fails.
 */
export class ReconcileRequests {
  readonly #options: ReconcileRequestsOptions;
  readonly #hops: number;
  readonly #messages: QueueMessage[] = [];

  /** `hops`: how many messages led to what is noted here. */
  constructor(options: ReconcileRequestsOptions, hops: number) {
    this.#options = options;
    this.#hops = hops;
  }

  /** `occasion` as for {@link reconcileMessage}. */
  add(message: ReconcileMessage, occasion: string): void {
    this.#messages.push(reconcileMessage({ ...message, hops: this.#hops }, occasion));
  }

  async send(): Promise<void> {
    const { queues, reconcileQueueUrl, logger, metrics } = this.#options;
    const messages = this.#messages.splice(0);
    if (messages.length > 0 && isTooLong(this.#hops)) {
      metrics?.record('CutChains', 1);
      logger.warn('a chain of messages was cut; the schedule goes on', { unsent: messages.length });
      return;
    }
    const { accepted, failure, message } = await sendInOrder(queues, reconcileQueueUrl, messages);
    if (failure === undefined) return;
    const unsent = messages.length - accepted;
    logger.warn('reconcile was not told; the schedule will', { unsent, failure, why: message });
  }
}
