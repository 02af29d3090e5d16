import type { Delivery } from './delivery.ts';
import { KeptSet, type Listing, OvertakenError } from './kept-set.ts';
import type { KubernetesObject, NamedObject } from './kubernetes-object.ts';
import { deliveryOf, type SqsBatchResponse, type SqsEvent } from './lambda-event.ts';
import { type Events, Listeners } from './listeners.ts';
import { longPoll } from './long-poll.ts';
import { createMemoryStore } from './memory-store.ts';
import { readMessage, UnreadableMessageError } from './message.ts';
import { pause } from './pause.ts';
import { UnprovenError } from './proof.ts';
import { isFifo, type Queue, queueName } from './queue.ts';
import { openSqsQueue, type SqsClient } from './sqs-queue.ts';
import type { ReplicaStore } from './store.ts';

export interface ReplicaOptions {
  /**
   * The Subscription's `status.queueUrl`, or a function that returns it. A queue that was lost is created again under
   * another URL.
   */
  readonly queueUrl?: string | (() => Promise<string>);
  /**
   * Lists the set as soon as changes are delivered continuously. With it, a replica with an empty store begins with a
   * LIST instead of the messages in the queue. It also lists again if a message cannot be parsed, or if
   * {@link Replica.relist} is called.
   */
  readonly list?: () => Promise<Listing>;
  /** The store of the replica; in memory by default. */
  readonly store?: ReplicaStore;
  /** An `SQSClient`. Without one, the replica creates a client for the URL of the queue. */
  readonly sqs?: SqsClient;
  /** Replacements for SQS, the time (in ms since the epoch) and pauses, for tests. */
  readonly queue?: Queue;
  readonly now?: () => number;
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The most attempts for one message while other processes write the position. */
const TRIES = 5;

/**
 * A replica of the set that a Subscription selects. Its queue keeps it current: through {@link run} in a long-lived
 * process, or {@link handle} in a Lambda function.
 *
 * A listener is called before the change is stored and before its message is deleted. So it is called at least once
 * for each change. If it throws, the message returns to the queue.
 */
export class Replica<Kind extends NamedObject = KubernetesObject> {
  readonly #options: ReplicaOptions;
  readonly #listeners = new Listeners<Kind>();
  readonly #set: KeptSet;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #opened: Promise<void> | undefined;
  /** Serializes the operations on the set. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#set = new KeptSet({
      store: options.store ?? createMemoryStore(options.now),
      tell: (change) => this.#listeners.tell(change),
      now: options.now ?? Date.now,
    });
  }

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof Events<Kind>>(name: Name, listener: Events<Kind>[Name]): () => void {
    return this.#listeners.on(name, listener);
  }

  /** Whether the set was complete at least once. A Subscription with `start: now` never reports that on its own. */
  get isSynced(): boolean {
    return this.#set.position.isSynced;
  }

  /** Reads the position from the store. The other methods call it themselves. */
  open(): Promise<void> {
    this.#opened ??= this.#set.open().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async get(name: string, namespace = ''): Promise<Kind | undefined> {
    await this.open();
    return (await this.#set.get(`${namespace}/${name}`)) as NamedObject | undefined as Kind | undefined;
  }

  /** Yields every object of the set, sorted by namespace and name. */
  async *values(): AsyncGenerator<Kind> {
    await this.open();
    for await (const { object } of this.#set.entries()) yield JSON.parse(object);
  }

  /**
   * Receives from the queue until {@link stop}. After an error it waits for 1 to 30 s and retries.
   *
   * @throws {Error} there is no `queueUrl`
   */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Finishes the message at hand, and resolves when {@link run} has ended. Other messages stay in the queue. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.catch(() => {});
  }

  /**
   * The handler of a Lambda function; it needs a persistent store. In a FIFO queue, no message overtakes a failed
   * one.
   */
  readonly handle = async ({ Records }: SqsEvent): Promise<SqsBatchResponse> => {
    // Another instance of the function may have written the store.
    await this.#exclusively(() => this.#decide(() => this.#set.open()));
    this.#opened = Promise.resolve();
    await this.#begin(Records[0]?.eventSourceARN ?? '');
    const failed: string[] = [];
    for (const record of Records) {
      const isBehind = failed.length > 0 && isFifo(record.eventSourceARN ?? '');
      const isTaken = !isBehind && (await this.#tryTake(deliveryOf(record)));
      if (!isTaken) failed.push(record.messageId);
    }
    await this.#settle(Records.filter(({ messageId }) => !failed.includes(messageId)).map(deliveryOf));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

  /**
   * Replaces the set with the result of `list`. Does nothing while a new snapshot arrives, because the snapshot
   * replaces the set too.
   *
   * @throws {Error} there is no `list`
   */
  async relist(): Promise<void> {
    const { list } = this.#options;
    if (list === undefined) throw new Error('the replica has no option list, so it cannot list');
    await this.open();
    await this.#exclusively(() => this.#decide(() => this.#set.replace(list)));
  }

  async #run(): Promise<void> {
    const { queueUrl, queue, sqs } = this.#options;
    if (queueUrl === undefined) {
      throw new Error('the replica has no option queueUrl, so it cannot receive');
    }
    const askUrl = typeof queueUrl === 'string' ? async () => queueUrl : queueUrl;
    await this.open();
    this.#set.verify();
    const options = {
      queue: queue ?? (await openSqsQueue(sqs)),
      queueUrl: async () => {
        const url = await askUrl();
        await this.#begin(url);
        return url;
      },
      take: (message: Delivery) => this.#take(message),
      settle: (messages: readonly Delivery[]) => this.#settle(messages),
      failed: (error: unknown) => this.#listeners.tellError(error),
      pause: this.#options.pause ?? pause,
    };
    await longPoll(options, this.#stopping.signal);
  }

  /**
   * Lists the set if the store is empty. The LIST includes the changes of all messages that are in the queue when it
   * begins.
   */
  async #begin(queue: string): Promise<void> {
    const { list } = this.#options;
    const { isSynced, queue: followed } = this.#set.position;
    if (list === undefined || isSynced || followed !== '') return;
    await this.#exclusively(() => this.#decide(() => this.#set.replace(list, queueName(queue))));
  }

  async #tryTake(delivery: Delivery): Promise<boolean> {
    try {
      await this.#take(delivery);
      return true;
    } catch (error) {
      await this.#listeners.tellError(error).catch(console.error);
      return false;
    }
  }

  /**
   * Handles a message. If it cannot be parsed, or its proof does not match the set, the set is listed again, if
   * `list` is set.
   */
  async #take(delivery: Delivery): Promise<void> {
    try {
      const message = readMessage(delivery);
      await this.#exclusively(() => this.#decide(() => this.#set.take(message)));
    } catch (error) {
      const isTaken = error instanceof UnprovenError;
      const { list } = this.#options;
      if (!isTaken && (!(error instanceof UnreadableMessageError) || list === undefined)) throw error;
      await this.#listeners.tellError(error);
      if (list !== undefined) await this.relist();
    }
  }

  /**
   * Handles messages again if another process has replaced the shown generation meanwhile, because the messages changed
   * the old generation.
   */
  async #settle(deliveries: readonly Delivery[]): Promise<void> {
    for (let tries = 0; tries < TRIES && !(await this.#set.isCurrent()); tries++) {
      await this.#exclusively(() => this.#decide(() => this.#set.open()));
      for (const delivery of deliveries) await this.#take(delivery);
    }
  }

  async #decide(act: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof OvertakenError) || tries === TRIES) throw error;
      }
    }
  }

  #exclusively<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(act, act);
    this.#turn = done.catch(() => {});
    return done;
  }
}
