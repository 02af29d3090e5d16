import { type QueueMessage, QueueSlowError, type Queues } from '../../coordination/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';

/** The timeout of a batch: at least this many ms, or this many times the slowest answered batch of the round. */
const SLOW = { least: 500, times: 10 };
/** The timeout in ms while no batch was answered. SQS as a whole may be slow then. */
const UNANSWERED = TIMING.grace;
/** The time between two checks, in ms. */
const LOOK = 100;

/** A batch in flight, and the number of checks that have found it. */
interface Open {
  looks: number;
  giveUp(error: QueueSlowError): void;
}

/**
 * Sends the batches of one round with a timeout. So a queue that does not answer delays the others only for a fraction
 * of the request timeout. The age of a batch is a number of checks, not a time: if this process itself stood still, an
 * answer may have arrived already.
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

  /** @throws {QueueSlowError} other batches were answered long ago. {@link QueueGoneError} */
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
