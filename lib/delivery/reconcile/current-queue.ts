import { EVENT_RECORDS } from '../../kubernetes/lifecycle/index.ts';
import type { SubscriptionSpec } from '../../kubernetes/winnow/index.ts';
import { noteProved } from '../proofs/index.ts';
import { accessOf } from '../subscription/index.ts';
import { type OwnQueueOptions, proveQueue } from './own-queue.ts';
import { permitConsumers } from './permit-consumers.ts';
import type { Progress, ProgressOptions } from './progress.ts';
import { depthOf, type QueueDepth } from './queue-depth.ts';
import { receiversOf } from './receivers-of.ts';
import { createQueue, newQueueName, type QueueMaker } from './subscription-queue.ts';

export interface KeptQueueOptions extends ProgressOptions, OwnQueueOptions, Pick<QueueMaker, 'queueKey'> {}

export interface KeptQueueGiven {
  readonly spec: SubscriptionSpec;
  readonly generation: number;
}

/** The queue of one subscription in one reconciliation: its existence, its receivers and its creation. */
export class KeptQueue {
  readonly #options: KeptQueueOptions;
  readonly #progress: Progress;
  readonly #given: KeptQueueGiven;
  /** The number of messages in it, if it was checked. */
  depth: QueueDepth | undefined;
  /** Its policy, if it was checked. */
  #policy: string | undefined;

  constructor(options: KeptQueueOptions, progress: Progress, given: KeptQueueGiven) {
    this.#options = options;
    this.#progress = progress;
    this.#given = given;
  }

  /** @param isAdmitted dispatch has just activated the subscription, so its queue is not checked */
  async exists(isAdmitted: boolean): Promise<boolean> {
    const { membership, queueArn, queueUrl } = this.#progress.state;
    if (isAdmitted && membership === 'synced') return true;
    // Winnow may have only the permission to send. It notices a missing queue when a send fails.
    if (queueArn !== '') {
      // Records a proof from before Winnow recorded proofs.
      await noteProved(this.#options, this.#progress.state);
      return true;
    }
    const attributes = await this.#options.queues.attributes(queueUrl);
    this.depth = depthOf(attributes, this.#options.clock.now());
    this.#policy = attributes?.Policy;
    return attributes !== undefined;
  }

  permit(): Promise<void> {
    const { consumers } = this.#given.spec;
    return permitConsumers(this.#progress, this.#options, { consumers, policy: this.#policy });
  }

  /**
   * Creates the queue. Its name is stored first, so that a crash in between leaves no unknown queue.
   *
   * @throws {SendRefusedError} the queue could not be created, or a user-owned queue is not proven yet
   */
  async make(): Promise<void> {
    const progress = this.#progress;
    const { queueToken: token, consumers } = this.#given.spec;
    if (progress.state.queueArn !== '') {
      return proveQueue(progress, this.#options, { token, generation: this.#given.generation });
    }
    const queueName = progress.state.queueName || newQueueName(this.#options, progress.state);
    if (progress.state.queueName === '') await progress.store({ queueName });
    try {
      const receivers = receiversOf(consumers, this.#options.rules, progress.state.access);
      progress.noteQueue(await createQueue(this.#options, queueName, { ...progress.state, receivers }));
      const access = accessOf(receivers);
      if (progress.state.access !== access) progress.note({ access, accessFailure: '' });
    } catch (error) {
      this.#options.logger.error('a queue cannot be created', { uid: progress.state.uid, error });
      const why = error instanceof Error ? error.message : String(error);
      progress.tell(EVENT_RECORDS.queueNotMade(why));
      await progress.putOff(why);
    }
  }
}
