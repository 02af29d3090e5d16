import type { Logger } from '../platform/index.ts';
import type { QueueMessage, Queues } from './queues.ts';
import { sendInOrder } from './send.ts';

export interface NoticesOptions {
  readonly queues: Queues;
  readonly reconcileQueueUrl: string;
  readonly logger: Logger;
}

/**
 * What dispatch has to tell reconcile of one turn, sent together once the turn's result is stored. What is not sent
 * is found by the schedule, so it never fails.
 */
export class Notices {
  readonly #options: NoticesOptions;
  readonly #messages: QueueMessage[] = [];

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  add(...messages: readonly QueueMessage[]): void {
    this.#messages.push(...messages);
  }

  async send(): Promise<void> {
    const { queues, reconcileQueueUrl, logger } = this.#options;
    const messages = this.#messages.splice(0);
    const { accepted, failure, message } = await sendInOrder(queues, reconcileQueueUrl, messages);
    if (failure === undefined) return;
    const unsent = messages.length - accepted;
    logger.warn('reconcile was not told; the schedule will', { unsent, failure, why: message });
  }
}
