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
  /** What it held, where it was looked for. */
  depth: QueueDepth | undefined;
  /** Its policy, where it was looked for. */
  #policy: string | undefined;

  constructor(options: KeptQueueOptions, progress: Progress, given: KeptQueueGiven) {
    this.#options = options;
    this.#progress = progress;
    this.#given = given;
  }

  /** @param isAdmitted dispatch has just admitted the subscription, so its queue is not looked for */
  async exists(isAdmitted: boolean): Promise<boolean> {
    const { membership, queueArn, queueUrl } = this.#progress.state;
    if (isAdmitted && membership === 'synced') return true;
    // Winnow may have only the permission to send. It notices a missing queue when a send fails.
    if (queueArn !== '') {
      // One that was proved before this was noted is noted now.
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
   * The name is stored before the queue is made, so that a crash in between leaves no queue nobody knows.
   *
   * @throws {SendRefusedError} it could not be made, or one of somebody's own is not proven yet
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
      this.#options.logger.error('a queue cannot be made', { uid: progress.state.uid, error });
      const why = error instanceof Error ? error.message : String(error);
      progress.tell(EVENT_RECORDS.queueNotMade(why));
      await progress.putOff(why);
    }
  }
}
