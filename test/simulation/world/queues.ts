import type { QueueMessage, Queues, Receipts } from '../../../lib/coordination/index.ts';
import { QueueGoneError } from '../../../lib/coordination/queues.ts';
import { DELIVER_TAG, TIMING } from '../../../lib/platform/index.ts';
import { UnavailableError } from '../../../lib/store/index.ts';
import type { Process } from './process.ts';
import { SimulatedQueue } from './queue.ts';
import type { Surroundings } from './surroundings.ts';
import { request } from './wire.ts';

const ATTEMPTS = 3;
/** The name of the deployment, in the tag of queues of users. */
export const CLUSTER_ID = 'simulated';
const TAGS = { [DELIVER_TAG]: CLUSTER_ID };
/** The visibility timeout of consumers' queues, in ms. */
const VISIBILITY = 30_000;

/** The result of a batch to a queue that may stall, in virtual ms. */
export interface Trial {
  readonly url: string;
  /** The process that sent it. */
  readonly by: string;
  readonly from: number;
  readonly to: number;
  readonly isStalled: boolean;
}

/** All SQS queues, with their faults. */
export class SimulatedQueues {
  readonly #world: Surroundings;
  readonly #queues = new Map<string, SimulatedQueue>();
  /** Batches that were accepted in part, by sender, until the sender's invocation has ended. */
  readonly #partial = new Map<Process, Map<readonly QueueMessage[], string>>();
  /** Such batches of ended invocations: the same request may still arrive a second time. */
  readonly #partialBefore = new WeakSet<readonly QueueMessage[]>();
  readonly #bent = new Set<string>();
  /** The results of batches to queues that may stall, in the order in which they became known. */
  readonly trials: Trial[] = [];

  constructor(world: Surroundings) {
    this.#world = world;
  }

  find(url: string): SimulatedQueue | undefined {
    return this.#queues.get(url);
  }

  create(name: string, visibility = VISIBILITY): string {
    const url = `sqs://${name}`;
    const isFifo = name.endsWith('.fifo');
    if (!this.#queues.has(url)) {
      this.#queues.set(url, new SimulatedQueue(this.#world, { isFifo, visibility }));
    }
    return url;
  }

  urls(): string[] {
    return [...this.#queues.keys()];
  }

  delete(url: string): void {
    this.#queues.delete(url);
  }

  /**
   * Whether the order of a queue's messages may be bent. A batch was accepted in part, and its sender was stopped
   * before it could store that, or never received the answer (docs/architecture/delivery.md, "One double fault").
   */
  isBent(url: string): boolean {
    return this.#bent.has(url);
  }

  /** Ends an invocation. If it failed, messages that it sent in part are sent again under the same ids. */
  settle(process: Process, hasFailed: boolean): void {
    for (const url of hasFailed ? (this.#partial.get(process)?.values() ?? []) : []) this.#bent.add(url);
    for (const messages of this.#partial.get(process)?.keys() ?? []) this.#partialBefore.add(messages);
    this.#partial.delete(process);
  }

  /** The queues as one process reaches them. */
  connect(process: Process): Queues & { readonly receipts: Receipts } {
    const wire = <Result>(what: string, perform: () => Result, signal?: AbortSignal) =>
      request<Result>(this.#world, process, {
        what,
        attempts: ATTEMPTS,
        isPatient: true,
        signal,
        perform: (done) => done(perform()),
      });
    return {
      create: (name) => wire(`create ${name}`, () => this.create(name)),
      permit: (url) => wire(`permit ${url}`, () => {}),
      delete: (url) => wire(`delete ${url}`, () => this.delete(url)),
      tags: (url) => wire(`tags ${url}`, () => (this.#queues.has(url) ? TAGS : undefined)),
      attributes: (url) => wire(`attributes ${url}`, () => (this.#queues.has(url) ? {} : undefined)),
      sendBatch: async (url, messages, signal) => {
        if (this.#stalls(url)) return this.#stall(process, url, signal);
        const answer = await wire(
          `send ${describe(messages)}`,
          () => this.#send(process, url, messages),
          signal,
        );
        if (answer instanceof Error) throw answer;
        const { now } = this.#world.scheduler;
        const trial = { url, by: process.name, from: now, to: now, isStalled: false };
        if (this.#mayStall(url)) this.trials.push(trial);
        return answer;
      },
      receipts: {
        delete: (url, receipts) =>
          wire(`settle ${receipts}`, () => {
            for (const receipt of receipts) this.#queues.get(url)?.settle(receipt);
          }),
        showAgain: (url, receipts, delay) =>
          wire(`show ${receipts} again`, () => {
            for (const receipt of receipts) this.#queues.get(url)?.showAgain(receipt, delay);
          }),
      },
    };
  }

  #mayStall(url: string): boolean {
    const { stalledBatchAt } = this.#world.faults;
    return stalledBatchAt !== undefined && url.startsWith(stalledBatchAt);
  }

  #stalls(url: string): boolean {
    const { chance, faults } = this.#world;
    return this.#mayStall(url) && chance.chance(faults.stalledBatch);
  }

  /** Stalls until the SDK gives up its last attempt, or until the caller gives up. */
  #stall(process: Process, url: string, signal?: AbortSignal): Promise<never> {
    const { scheduler } = this.#world;
    const from = scheduler.now;
    return process.ask(`stall ${url}`, (answer) => {
      let isOver = false;
      const end = () => {
        if (isOver) return;
        isOver = true;
        this.trials.push({ url, by: process.name, from, to: scheduler.now, isStalled: true });
        answer(() => {
          throw new UnavailableError('no answer');
        });
      };
      scheduler.wakeAfter(ATTEMPTS * TIMING.grace, end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  #send(process: Process, url: string, messages: readonly QueueMessage[]): readonly number[] | Error {
    const { chance, faults } = this.#world;
    const queue = this.#queues.get(url);
    if (queue === undefined) return new QueueGoneError(`there is no queue ${url}`);
    const mayFail = url.startsWith(faults.failedBatchAt ?? '');
    if (mayFail && chance.chance(faults.failedBatch)) return new Error('SQS is unavailable');
    const refused = messages.flatMap((_, index) => (chance.chance(faults.refusedMessage) ? [index] : []));
    const partial = this.#partial.get(process) ?? new Map();
    this.#partial.set(process, partial);
    // A request on its way when its sender died still arrives, after the invocation was settled.
    const isAgain = partial.has(messages) || this.#partialBefore.has(messages);
    if (isAgain || (process.isDead && refused.length > 0)) this.#bent.add(url);
    if (refused.length > 0) partial.set(messages, url);
    for (const [index, message] of messages.entries()) if (!refused.includes(index)) queue.accept(message);
    return refused;
  }
}

function describe(messages: readonly QueueMessage[]): string {
  return messages
    .map(({ deduplication, attributes }) => deduplication ?? attributes?.resourceVersion)
    .join(' ');
}
