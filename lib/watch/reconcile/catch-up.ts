import { type Clock, type Logger, MEMORY, type Metrics, type Random, TIMING } from '../../platform/index.ts';
import { type Condition, GoneError, type Store, type Table } from '../../store/index.ts';
import { bookmarkMessage, eventMessage, goneMessage } from '../event-message.ts';
import type { Hints } from '../hints.ts';
import { Notices } from '../notices.ts';
import type { QueueMessage, Queues } from '../queues.ts';
import { type Sent, sendInOrder } from '../send.ts';
import type { SubscriptionSpec } from '../subscription.ts';
import {
  backoff,
  filterOf,
  restarted,
  type Step,
  type SubscriptionState,
  selection,
  stateKey,
  updateState,
} from '../subscription-state.ts';
import { writeSubscriptionStatus } from '../subscription-status.ts';
import { transition } from '../transition.ts';
import { askDispatch, askDispatchAgain } from './ask-dispatch.ts';
import { fittingStretch } from './fitting-stretch.ts';
import { createQueue, newQueueName } from './subscription-queue.ts';

export interface CatchUpOptions {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  /** The URL of the queue that carries what is to be reconciled. */
  readonly reconcileQueueUrl: string;
  /** What the names of the queues made here begin with. */
  readonly queuePrefix: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** Objects in one page of a snapshot. */
const PAGE = 100;
/** Changes that are left to dispatch's next turn, which takes along who is no more than 500 behind. */
const NEAR = 200;

export interface CatchUpGiven {
  readonly spec: SubscriptionSpec;
  readonly generation: number;
  readonly holder: string;
  /** How many messages led to what is sent here. */
  readonly hops: number;
  readonly state: SubscriptionState;
  /** Dispatch has just admitted it, so its queue is not looked for. */
  readonly isAdmitted: boolean;
}

const WITHOUT_LEASE = { leaseHolder: undefined, leaseExpires: undefined };

/**
 * The steps of one reconciliation, under the lease, which ends with the step that hands the subscription over. `state`
 * is the row, with what is stored with the next step.
 */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #given: CatchUpGiven;
  readonly #spec: SubscriptionSpec;
  readonly #generation: number;
  readonly #deadline: AbortSignal;
  /** What is stored with the next step: a crash before it repeats what gave this. */
  #unstored: Partial<SubscriptionState> = {};
  #isQueueUntold = false;
  /** Dispatch has the subscription now, and nobody the lease. */
  isHandedOver = false;
  state: SubscriptionState;

  constructor(options: CatchUpOptions, given: CatchUpGiven) {
    this.#options = options;
    this.#given = given;
    this.#spec = given.spec;
    this.#generation = given.generation;
    this.state = given.state;
    this.#deadline = options.clock.deadline(TIMING.dispatchSends);
  }

  async run(): Promise<void> {
    const edited = this.state.generation !== this.#generation;
    const queueLost = this.state.queueUrl !== '' && !(await this.#queueExists());
    if (this.state.membership !== 'catching-up') {
      if (edited || queueLost) {
        await this.#askForRestart(edited ? 'the subscription was edited' : 'the queue is gone');
      } else if (this.state.membership === 'ready') await askDispatchAgain(this.#asking());
      return;
    }
    if (edited || this.state.restart !== '') {
      await this.#begin(this.state.restart || 'the subscription was edited', this.#firstStep());
    }
    if (queueLost) await this.#begin('the queue is gone', 'snapshot', { queueName: '', queueUrl: '' });
    // A queue that refuses is left alone for a while, whatever else asks for a look.
    if (this.state.nextAttempt > this.#options.clock.now()) return;
    try {
      if (this.state.queueUrl === '') await this.#makeQueue();
      if (this.state.step === 'gone') await this.#sendGone();
      if (this.state.step === 'snapshot') await this.#sendSnapshot();
      if (this.state.step === 'journal') await this.#readOn();
    } catch (error) {
      if (error instanceof GoneError) {
        await this.#begin(error.message, 'gone');
      } else if (!(error instanceof SendRefusedError)) throw error;
    }
  }

  /** A subscriber that may have been sent something has to forget it; one without a queue was not. */
  #firstStep(): Step {
    return this.state.queueUrl === '' ? this.state.step : 'gone';
  }

  async #queueExists(): Promise<boolean> {
    if (this.#given.isAdmitted && this.state.membership === 'synced') return true;
    return (await this.#options.queues.attributes(this.state.queueUrl)) !== undefined;
  }

  /** The state is dispatch's: only it may take the subscription out of the synced set. */
  async #askForRestart(why: string): Promise<void> {
    if (this.state.restart === why) return askDispatchAgain(this.#asking());
    await this.#store({ restart: why });
    await askDispatch(this.#asking());
  }

  #asking() {
    const { table, hints } = this.#options;
    return { table, hints, collection: this.state.collection, hops: this.#given.hops };
  }

  async #begin(why: string, step: Step, queue: Partial<SubscriptionState> = {}): Promise<void> {
    const selected = selection(this.#spec, this.state.name.namespace, this.#generation);
    await this.#store({ ...restarted(this.state, step), ...selected, failure: why, ...queue });
  }

  /** The name is stored before the queue is made, so that a crash in between leaves no queue nobody knows. */
  async #makeQueue(): Promise<void> {
    const queueName = this.state.queueName || newQueueName(this.#options, this.state);
    if (this.state.queueName === '') await this.#store({ queueName });
    const queueUrl = await createQueue(this.#options, queueName, this.state).catch((error) =>
      this.#putOff(error),
    );
    this.#note({ queueUrl });
    this.#isQueueUntold = true;
  }

  /** Before anything is sent that is to be forgotten after a restart: without a queue nothing was. */
  async #storeQueue(): Promise<void> {
    if (this.#unstored.queueUrl !== undefined) await this.#store({});
  }

  /** Where catching up takes longer than a step, its status says meanwhile where the queue is. */
  async #tellQueue(): Promise<void> {
    if (this.#isQueueUntold) await writeSubscriptionStatus(this.#options, this.state.name, this.state);
    this.#isQueueUntold = false;
  }

  /** No queue can be made now: kept for the status, and tried again by the schedule. */
  async #putOff(error: unknown): Promise<never> {
    const failures = this.state.failures + 1;
    const failure = error instanceof Error ? error.message : String(error);
    this.#options.logger.error('a queue cannot be made', { uid: this.state.uid, error });
    await this.#store({ failures, failure, nextAttempt: this.#options.clock.now() + backoff(failures) });
    throw new SendRefusedError(failure);
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
    const { collection } = this.state;
    const filter = filterOf(this.state, this.#spec.target);
    if (this.state.snapshot === 0) {
      await this.#store({ snapshot: await store.head(collection), snapshotAfter: '' });
    }
    const at = this.state.snapshot;
    for (let after = lastSent(this.state); ; ) {
      const request = { ...filter, at, after, limit: PAGE, mostHeap: MEMORY.page };
      const page = await store.list(collection, request);
      const messages = page.items.map((object) => eventMessage(this.state, { type: 'ADDED', object }));
      if (messages.length > 0) await this.#storeQueue();
      await this.#send(messages, () => ({}));
      if (page.next === undefined) break;
      after = page.next;
      await this.#store({ snapshotAfter: `${after.namespace}/${after.name}`, failures: 0 });
      await this.#tellQueue();
    }
    // Not in one batch with them: SQS may take it and refuse one of them.
    await this.#send([bookmarkMessage(this.state, at)], () => ({}));
    this.#note({ step: 'journal', position: at, snapshot: 0, snapshotAfter: '' });
  }

  /**
   * Sends what the journal has behind the position, until it is near the head; then dispatch takes over, and sends the
   * rest. Who waited to meet the head itself would never, where somebody writes as fast as this reads.
   */
  async #readOn(): Promise<void> {
    const { store } = this.#options;
    const { collection } = this.state;
    const filter = filterOf(this.state, this.#spec.target);
    for (let head = 0; ; ) {
      const from = this.state.position;
      if (head - from <= NEAR) head = await store.head(collection);
      if (head - from <= NEAR) break;
      const stretch = await store.nextChanges(collection, from, head);
      const { changes, upTo } = fittingStretch(stretch, MEMORY.page);
      const events = changes.flatMap((change) => {
        const event = transition(change, filter);
        return event === undefined ? [] : [{ rv: change.rv, message: eventMessage(this.state, event) }];
      });
      if (events.length > 0) await this.#storeQueue();
      await this.#send(
        events.map((event) => event.message),
        ({ accepted }) => ({ position: (events[accepted]?.rv ?? upTo + 1) - 1 }),
      );
      await this.#store({ position: upTo, failures: 0 });
      await this.#tellQueue();
    }
    const ready = { membership: 'ready', failures: 0, nextAttempt: 0, failure: '' } as const;
    await this.#store({ ...ready, ...WITHOUT_LEASE });
    this.isHandedOver = true;
    await askDispatch(this.#asking());
  }

  /**
   * Sends, or stores how far it came and a higher attempt, and gives up until the schedule asks again; at once,
   * where only the time was over.
   *
   * @throws {SendRefusedError}
   */
  async #send(
    messages: readonly QueueMessage[],
    progress: (sent: Sent) => Partial<SubscriptionState>,
  ): Promise<void> {
    const sent: Sent = this.#deadline.aborted
      ? { accepted: 0, failure: 'late' }
      : await sendInOrder(this.#options.queues, this.state.queueUrl, messages, this.#deadline);
    if (sent.failure === undefined) return;
    const { clock } = this.#options;
    const late = sent.failure === 'late';
    if (!late) this.#options.metrics?.record('FailedSends', 1);
    const failures = late ? this.state.failures : this.state.failures + 1;
    await this.#store({
      ...progress(sent),
      attempt: this.state.attempt + 1,
      failures,
      failure: sent.message ?? '',
      nextAttempt: late ? 0 : clock.now() + backoff(failures),
    });
    const { name, uid, collection, start, attempt } = this.state;
    if (late) {
      const notices = new Notices(this.#options, this.#given.hops);
      notices.add({ kind: 'subscription', name, uid, collection }, `late/${start}/${attempt}`);
      await notices.send();
    }
    throw new SendRefusedError(sent.message);
  }

  #note(change: Partial<SubscriptionState>): void {
    this.#unstored = { ...this.#unstored, ...change };
    this.state = { ...this.state, ...change };
  }

  async #store(change: Partial<SubscriptionState> & Partial<typeof WITHOUT_LEASE>): Promise<void> {
    const { table, queues } = this.#options;
    const leased: Condition = [{ attribute: 'leaseHolder', is: '=', value: this.#given.holder }];
    const row = { ...this.#unstored, ...change } as Parameters<typeof updateState>[2];
    if (!(await updateState(table, this.state, row, leased))) {
      // The subscription went while its queue was being made.
      if (this.#unstored.queueUrl !== undefined) await queues.delete(this.#unstored.queueUrl);
      throw new Error(`the state of subscription ${stateKey(this.state).sk} is gone, or leased by another`);
    }
    this.#unstored = {};
    this.state = { ...this.state, ...change };
  }
}

/** The queue could not be made, or did not take a message; how far it came is stored. */
class SendRefusedError extends Error {}

function lastSent(state: SubscriptionState): { namespace: string; name: string } | undefined {
  const [namespace = '', name = ''] = state.snapshotAfter.split('/');
  return name === '' ? undefined : { namespace, name };
}
