import { type QueueMessage, QueueSlowError, type Queues } from '../../coordination/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';

/** A batch is given up that takes so many ms, and so many times as long as the slowest of its turn that was answered. */
const SLOW = { least: 500, times: 10 };
/** Where none was answered yet, in ms: then it may be all of SQS. */
const UNANSWERED = TIMING.grace;
/** Ms between two looks. */
const LOOK = 100;

/** A batch under way, and how often it was seen so. */
interface Open {
  looks: number;
  giveUp(error: QueueSlowError): void;
}

/**
 * What one turn sends with, so that a queue that does not answer holds up the others for a fraction of the time that
 * its requests may take. How long a batch has been under way is counted in looks: where this process itself stood still,
 * an answer may lie here already.
 */
export class SendTimeout implements Pick<Queues, 'sendBatch'> {
  readonly #queues: Queues;
  readonly #clock: Clock;
  readonly #open = new Set<Open>();
  #slowest: number | undefined;
  #stopLooking: (() => void) | undefined;

  constructor({ queues, clock }: { readonly queues: Queues; readonly clock: Clock }) {
    this.#queues = queues;
    this.#clock = clock;
  }

  /** @throws {QueueSlowError} others answered long since. {@link QueueGoneError} */
  async sendBatch(
    url: string,
    messages: readonly QueueMessage[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const began = this.#clock.now();
    const ended = new AbortController();
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const giveUp = (error: QueueSlowError) => {
      reject(error);
      ended.abort(error);
    };
    const one = { looks: 0, giveUp };
    this.#open.add(one);
    this.#stopLooking ??= this.#clock.every(LOOK, () => this.#look());
    try {
      const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
      const failed = await Promise.race([this.#queues.sendBatch(url, messages, either), givenUp]);
      this.#slowest = Math.max(this.#slowest ?? 0, this.#clock.now() - began);
      return failed;
    } finally {
      this.#close(one);
    }
  }

  #close(one: Open): void {
    this.#open.delete(one);
    if (this.#open.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  #look(): void {
    const most = this.#slowest === undefined ? UNANSWERED : Math.max(SLOW.least, SLOW.times * this.#slowest);
    for (const one of this.#open) {
      one.looks += 1;
      if (one.looks * LOOK <= most) continue;
      this.#close(one);
      one.giveUp(new QueueSlowError(`no answer within ${most} ms`));
    }
  }
}
