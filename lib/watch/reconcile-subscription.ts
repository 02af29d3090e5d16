import { type Clock, type Logger, type Random, TIMING } from '../platform/index.ts';
import {
  type Condition,
  GoneError,
  isJsonObject,
  type JsonObject,
  type ObjectState,
  type Store,
  subscriptionKey,
  type Table,
} from '../store/index.ts';
import { bookmarkMessage, eventMessage, goneMessage } from './event-message.ts';
import type { Hints } from './hints.ts';
import { acquireLease, releaseLease } from './lease.ts';
import { type ReconcileMessage, reconcileMessage } from './messages.ts';
import type { QueueMessage, Queues } from './queues.ts';
import { type Sent, sendAll, sendInOrder } from './send.ts';
import {
  QUEUE_FINALIZER,
  readSubscription,
  SUBSCRIPTIONS,
  type SubscriptionSpec,
  type TargetResources,
} from './subscription.ts';
import {
  backoff,
  filterOf,
  firstRow,
  parseState,
  restarted,
  type Step,
  type SubscriptionState,
  selection,
  stateKey,
  updateState,
} from './subscription-state.ts';
import { writeSubscriptionStatus } from './subscription-status.ts';
import { transition } from './transition.ts';

export interface ReconcileOptions {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  /** The URL of the queue that carries {@link ReconcileMessage}s. */
  readonly reconcileQueueUrl: string;
  /** What the names of the queues made here begin with. */
  readonly queuePrefix: string;
  readonly resources: TargetResources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Objects in one page of a snapshot, and changes in one stretch of the journal. */
const PAGE = 100;
const STRETCH = 500;
/** SQS keeps a message 14 days at most. */
const RETENTION_SECONDS = String(14 * 24 * 3600);

/**
 * Brings one subscription's queue and state to what its object says: makes the queue, sends the snapshot, reads
 * the journal on until it meets the head, and hands over to dispatch. Every step is stored before the next, so
 * that a crash repeats at most one.
 */
export async function reconcileSubscription(
  options: ReconcileOptions,
  message: Extract<ReconcileMessage, { kind: 'subscription' }>,
): Promise<void> {
  const object = await options.store.get(SUBSCRIPTIONS, message.name);
  if (object === undefined || object.uid !== message.uid) return cleanUp(options, message);
  if (metadataOf(object.body).deletionTimestamp !== undefined) {
    await cleanUp(options, message);
    return releaseObject(options, object);
  }

  const spec = readSubscription(object.body, options.resources);
  const generation = Number(metadataOf(object.body).generation ?? 1);
  const key = subscriptionKey(message.collection, message.uid);
  const first = firstRow(message.name, message.uid, spec, generation);
  const { outcome } = await options.table.put(first, [{ missing: 'pk' }]);
  // The object may have gone since it was read, and its row with it: look again, now that there is a row.
  if (outcome === 'done') return reconcileSubscription(options, message);
  const holder = options.random.uuid();
  const lease = {
    ...{ table: options.table, clock: options.clock, key, holder, lifetime: TIMING.reconcileLease },
    condition: [{ attribute: 'sk', is: '=', value: key.sk }] as const,
  };
  const row = await acquireLease(lease);
  // Somebody is at it; should they die, the schedule asks again.
  if (row === undefined) return;
  try {
    const work = new Work(options, { spec, generation, holder, state: parseState(row, spec.target) });
    await work.run();
    await writeSubscriptionStatus(options, message.name, work.state);
  } finally {
    await releaseLease(lease);
  }
}

/** Deletes the queue and the state of a subscription that is gone or going. */
async function cleanUp(
  { table, queues }: ReconcileOptions,
  { collection, uid, name }: Pick<SubscriptionState, 'collection' | 'uid' | 'name'>,
): Promise<void> {
  const row = await table.get(subscriptionKey(collection, uid));
  if (row === undefined) return;
  const { queueName, fifo } = row;
  // A queue whose URL was never stored is found by making it.
  const found =
    row.queueUrl ||
    (queueName && (await createQueue(queues, String(queueName), { uid, name, fifo: fifo === true })));
  if (found) await queues.delete(String(found));
  await table.delete(subscriptionKey(collection, uid));
}

/** Creates a subscription's queue, or finds it where it was created already. */
function createQueue(
  queues: Queues,
  queueName: string,
  { uid, name, fifo }: Pick<SubscriptionState, 'uid' | 'name' | 'fifo'>,
): Promise<string> {
  const ordered = {
    ...{ FifoQueue: 'true', FifoThroughputLimit: 'perMessageGroupId', DeduplicationScope: 'messageGroup' },
  };
  return queues.create(queueName, {
    attributes: {
      MessageRetentionPeriod: RETENTION_SECONDS,
      SqsManagedSseEnabled: 'true',
      ...(fifo ? ordered : {}),
    },
    tags: { 'winnow:subscription': `${name.namespace}/${name.name}`, 'winnow:uid': uid },
  });
}

/** Takes our finalizer off; the object goes with the last one. */
async function releaseObject({ store }: ReconcileOptions, object: ObjectState): Promise<void> {
  await store.write(SUBSCRIPTIONS, object.name, (current) => {
    if (current === undefined || current.uid !== object.uid) return { kind: 'none' };
    const metadata = metadataOf(current.body);
    const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
    const others = finalizers.filter((finalizer) => finalizer !== QUEUE_FINALIZER);
    if (others.length === 0) return { kind: 'delete', body: current.body };
    if (others.length === finalizers.length) return { kind: 'none' };
    return { kind: 'put', body: { ...current.body, metadata: { ...metadata, finalizers: others } } };
  });
}

interface Given {
  readonly spec: SubscriptionSpec;
  readonly generation: number;
  readonly holder: string;
  readonly state: SubscriptionState;
}

/** The steps of one reconciliation, under the lease. `state` is the row as last stored. */
class Work {
  readonly #options: ReconcileOptions;
  readonly #spec: SubscriptionSpec;
  readonly #generation: number;
  readonly #holder: string;
  readonly #deadline: AbortSignal;
  state: SubscriptionState;

  constructor(options: ReconcileOptions, { spec, generation, holder, state }: Given) {
    this.#options = options;
    this.#spec = spec;
    this.#generation = generation;
    this.#holder = holder;
    this.state = state;
    this.#deadline = options.clock.deadline(TIMING.dispatchSends);
  }

  async run(): Promise<void> {
    const edited = this.state.generation !== this.#generation;
    const queueLost = this.state.queueUrl !== '' && !(await this.#queueExists());
    if (this.state.membership !== 'catching-up') {
      if (edited || queueLost)
        await this.#askForRestart(edited ? 'the subscription was edited' : 'the queue is gone');
      else if (this.state.membership === 'ready') await this.#askForAdmission();
      return;
    }
    if (edited || this.state.restart !== '') {
      await this.#begin(this.state.restart || 'the subscription was edited', this.#firstStep());
    }
    if (queueLost) await this.#begin('the queue is gone', 'snapshot', { queueName: '', queueUrl: '' });
    // A queue that refuses is left alone for a while, whatever else asks for a look.
    if (this.state.nextAttempt > this.#options.clock.now()) return;
    if (this.state.queueUrl === '') await this.#makeQueue();
    try {
      if (this.state.step === 'gone') await this.#sendGone();
      if (this.state.step === 'snapshot') await this.#sendSnapshot();
      if (this.state.step === 'journal') await this.#readOn();
    } catch (error) {
      if (error instanceof GoneError) await this.#begin(error.message, 'gone');
      else if (!(error instanceof RefusedError)) throw error;
    }
  }

  /** A subscriber that may have been sent something has to forget it; one without a queue was not. */
  #firstStep(): Step {
    return this.state.queueUrl === '' ? this.state.step : 'gone';
  }

  async #queueExists(): Promise<boolean> {
    return (await this.#options.queues.attributes(this.state.queueUrl)) !== undefined;
  }

  /** The state is dispatch's: only it may take the subscription out of the synced set. */
  async #askForRestart(why: string): Promise<void> {
    await this.#store({ restart: why });
    await this.#askForAdmission();
  }

  async #askForAdmission(): Promise<void> {
    const { collection, position } = this.state;
    const occasion = `admit/${this.#options.random.suffix(10)}`;
    await this.#options.hints.send([{ collection, rv: position, admit: true }], occasion);
  }

  async #begin(why: string, step: Step, queue: Partial<SubscriptionState> = {}): Promise<void> {
    const selected = selection(this.#spec, this.state.name.namespace, this.#generation);
    await this.#store({ ...restarted(this.state, step), ...selected, ...{ failure: why, ...queue } });
    this.state = { ...this.state, filter: filterOf(selected, this.#spec.target) };
  }

  /** The name is stored before the queue is made, so that a crash in between leaves no queue nobody knows. */
  async #makeQueue(): Promise<void> {
    const { queuePrefix, random, queues } = this.#options;
    const { name, fifo } = this.state;
    const words = `${queuePrefix}${name.namespace}-${name.name}`.replaceAll('.', '-').slice(0, 60);
    const queueName = this.state.queueName || `${words}-${random.suffix(8)}${fifo ? '.fifo' : ''}`;
    await this.#store({ queueName });
    const queueUrl = await createQueue(queues, queueName, this.state);
    try {
      await this.#store({ queueUrl });
    } catch (error) {
      // The subscription went while its queue was being made.
      await queues.delete(queueUrl);
      throw error;
    }
    await writeSubscriptionStatus(this.#options, name, this.state);
  }

  async #sendGone(): Promise<void> {
    await this.#send([goneMessage(this.state, this.state.failure)], () => ({}));
    await this.#store({ step: 'snapshot' });
  }

  /**
   * The matching objects at one resourceVersion, which is stored first: a repeated snapshot is the same
   * snapshot, or an object deleted between two of them would stay with the subscriber for ever.
   */
  async #sendSnapshot(): Promise<void> {
    const { store } = this.#options;
    const { collection, filter } = this.state;
    if (this.state.snapshot === 0)
      await this.#store({ snapshot: await store.head(collection), snapshotAfter: '' });
    const at = this.state.snapshot;
    for (let after = lastSent(this.state); ; ) {
      const page = await store.list(collection, { ...filter, at, limit: PAGE, ...(after ? { after } : {}) });
      const messages = page.items.map((object) => eventMessage(this.state, { type: 'ADDED', object }));
      await this.#send(messages, () => ({}));
      if (page.next === undefined) break;
      after = page.next;
      await this.#store({ snapshotAfter: `${after.namespace}/${after.name}`, failures: 0 });
    }
    await this.#send([bookmarkMessage(this.state, at)], () => ({}));
    await this.#store({ step: 'journal', position: at, snapshot: 0, snapshotAfter: '' });
  }

  /** Sends what the journal has behind the position, until it meets the head; then dispatch takes over. */
  async #readOn(): Promise<void> {
    const { store } = this.#options;
    const { collection, filter } = this.state;
    if (this.state.position === 0) await this.#store({ position: await store.head(collection) });
    for (;;) {
      const head = await store.head(collection);
      const from = this.state.position;
      if (head <= from) break;
      const upTo = Math.min(head, from + STRETCH);
      const events = (await store.changes(collection, from, upTo)).flatMap((change) => {
        const event = transition(change, filter);
        return event === undefined ? [] : [{ rv: change.rv, message: eventMessage(this.state, event) }];
      });
      await this.#send(
        events.map((event) => event.message),
        ({ accepted }) => ({ position: (events[accepted]?.rv ?? upTo + 1) - 1 }),
      );
      await this.#store({ position: upTo, failures: 0 });
    }
    await this.#store({ membership: 'ready', failures: 0, nextAttempt: 0, failure: '' });
    await this.#askForAdmission();
  }

  /**
   * Sends, or stores how far it came and a higher attempt, and gives up until the schedule asks again; at once,
   * where only the time was over.
   *
   * @throws {RefusedError}
   */
  async #send(
    messages: readonly QueueMessage[],
    progress: (sent: Sent) => Partial<SubscriptionState>,
  ): Promise<void> {
    const sent: Sent = this.#deadline.aborted
      ? { accepted: 0, failure: 'late' }
      : await sendInOrder(this.#options.queues, this.state.queueUrl, messages, this.#deadline);
    if (sent.failure === undefined) return;
    const { clock, queues, reconcileQueueUrl } = this.#options;
    const late = sent.failure === 'late';
    const failures = late ? this.state.failures : this.state.failures + 1;
    await this.#store({
      ...progress(sent),
      ...{ attempt: this.state.attempt + 1, failures, failure: sent.message ?? '' },
      nextAttempt: late ? 0 : clock.now() + backoff(failures),
    });
    const { name, uid, collection, start, attempt } = this.state;
    const again = reconcileMessage(
      { kind: 'subscription', name, uid, collection },
      `late/${start}/${attempt}`,
    );
    if (late) await sendAll(queues, reconcileQueueUrl, [again]);
    throw new RefusedError(sent.message);
  }

  async #store(change: Partial<SubscriptionState>): Promise<void> {
    const leased: Condition = [{ attribute: 'leaseHolder', is: '=', value: this.#holder }];
    if (
      !(await updateState(
        this.#options.table,
        this.state,
        change as Parameters<typeof updateState>[2],
        leased,
      ))
    )
      throw new Error(`the state of subscription ${stateKey(this.state).sk} is gone, or leased by another`);
    this.state = { ...this.state, ...change };
  }
}

/** The queue did not take a message; how far it came is stored. */
class RefusedError extends Error {}

function lastSent(state: SubscriptionState): { namespace: string; name: string } | undefined {
  const [namespace = '', name = ''] = state.snapshotAfter.split('/');
  return name === '' ? undefined : { namespace, name };
}

function metadataOf(body: JsonObject): JsonObject {
  return isJsonObject(body.metadata) ? body.metadata : {};
}
