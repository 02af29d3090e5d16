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
 * The reconcile requests of one round of dispatch. They are sent together once the result of the round is stored.
 * Sending never fails, because `tick` sends the requests that were not sent.
 */
export class ReconcileRequests {
  readonly #options: ReconcileRequestsOptions;
  readonly #hops: number;
  readonly #messages: QueueMessage[] = [];

  /** @param hops how many messages led to these requests */
  constructor(options: ReconcileRequestsOptions, hops: number) {
    this.#options = options;
    this.#hops = hops;
  }

  /** Adds a request. `occasion` is as for {@link reconcileMessage}. */
  add(message: ReconcileMessage, occasion: string): void {
    this.#messages.push(reconcileMessage({ ...message, hops: this.#hops }, occasion));
  }

  async send(): Promise<void> {
    const { queues, reconcileQueueUrl, logger, metrics } = this.#options;
    const messages = this.#messages.splice(0);
    if (messages.length > 0 && isTooLong(this.#hops)) {
      metrics?.record('CutChains', 1);
      logger.warn('a chain of messages was cut; the next tick continues the work', {
        unsent: messages.length,
      });
      return;
    }
    const { accepted, failure, message } = await sendInOrder(queues, reconcileQueueUrl, messages);
    if (failure === undefined) return;
    const unsent = messages.length - accepted;
    logger.warn('a reconcile message was not sent; the next tick sends it', {
      unsent,
      failure,
      why: message,
    });
  }
}
