import type { QueueMessage, Queues } from '../../coordination/index.ts';
import { ReconcileRequests, type Sent, sendInOrder } from '../../coordination/index.ts';
import { EVENT_RECORDS, type EventRecord } from '../../kubernetes/lifecycle/index.ts';
import { type Logger, type Metrics, TIMING } from '../../platform/index.ts';
import type { Condition, Table } from '../../store/index.ts';
import { NOT_SEEN, SCOPE_CHANGED, type Verdict } from '../authority/index.ts';
import type { SubscribingRules } from '../limits/index.ts';
import {
  backoff,
  explained,
  restarted,
  type StatusOptions,
  type SubscriptionState,
  sinceStored,
  stateKey,
  updateState,
  writeSubscriptionStatus,
} from '../subscription/index.ts';
import { standingHappenings } from './standing-happenings.ts';

export interface ProgressOptions extends StatusOptions {
  readonly rules: SubscribingRules;
  readonly table: Table;
  readonly queues: Queues;
  /** The URL of the queue that carries what is to be reconciled. */
  readonly reconcileQueueUrl: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

export interface ProgressGiven {
  /** Of the lease on the state row. */
  readonly holder: string;
  /** How many messages led to what is sent here. */
  readonly hops: number;
  readonly state: SubscriptionState;
  /** Asked before objects are told: after they were read. @throws {ScopeMovedError} {@link AuthorHeldError} */
  readonly demandScope: () => Promise<void>;
}

const WITHOUT_LEASE = { leaseHolder: undefined, leaseExpires: undefined };

/**
 * How far one reconciliation came, under the lease. `state` is the row, with what is stored with the next step: a
 * crash before that repeats what gave it.
 */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #given: ProgressGiven;
  readonly #deadline: AbortSignal;
  #unstored: Partial<SubscriptionState> = {};
  #isQueueUntold = false;
  readonly #happened = new Map<string, EventRecord>();
  state: SubscriptionState;

  constructor(options: ProgressOptions, given: ProgressGiven) {
    this.#options = options;
    this.#given = given;
    this.state = given.state;
    this.#deadline = options.clock.deadline(TIMING.dispatchSends);
  }

  /** Whether anything is noted that is not stored yet. */
  get isUnstored(): boolean {
    return Object.keys(this.#unstored).length > 0;
  }

  /** Stored with the next step. */
  note(change: Partial<SubscriptionState>): void {
    this.#unstored = { ...this.#unstored, ...change };
    this.state = { ...this.state, ...change };
  }

  /** By whose rights it tells, and what is said of that, which is told where it is news. */
  noteAuthor(author: string, standing: string): void {
    if (this.state.author !== author) this.note({ author });
    if (this.state.standing === standing) return;
    for (const happening of standingHappenings(this.state, standing)) this.tell(happening);
    this.note({ standing });
  }

  /**
   * Stored with the next step, as {@link note}; at once where what is told is counted: what is repeated would not be the
   * same message by message, for where a page ends may differ.
   */
  async keep(change: Partial<SubscriptionState>): Promise<void> {
    this.note(change);
    if (this.state.tally !== '') await this.#store({});
  }

  /** What happened in this reconciliation, the last of each reason. */
  get happened(): readonly EventRecord[] {
    return [...this.#happened.values()];
  }

  /** To be told when the reconciliation is over. */
  tell(happening: EventRecord): void {
    this.#happened.set(happening.reason, happening);
  }

  /** @throws {Error} the row is gone, or leased by another. */
  store(change: Partial<SubscriptionState>): Promise<void> {
    return this.#store(change);
  }

  /** The same, and the lease ends with it. */
  handOver(change: Partial<SubscriptionState>): Promise<void> {
    return this.#store(change, WITHOUT_LEASE);
  }

  /** The queue was made just now. */
  noteQueue(queueUrl: string): void {
    this.note({ queueUrl });
    this.#isQueueUntold = true;
  }

  /** Before anything is sent that is to be forgotten after a restart: without a queue nothing was. */
  async storeQueue(): Promise<void> {
    if (this.#unstored.queueUrl !== undefined) await this.#store({});
  }

  /** Where catching up takes longer than a step, its status says meanwhile where the queue is. */
  async tellQueue(): Promise<void> {
    if (this.#isQueueUntold) await writeSubscriptionStatus(this.#options, this.state.name, this.state);
    this.#isQueueUntold = false;
  }

  /**
   * Sends, or stores how far it came and a higher attempt, and gives up until the schedule asks again; at once,
   * where only the time was over.
   *
   * @throws {SendRefusedError} {@link ScopeMovedError} of what is told to its queue: other objects may be told by now
   */
  async send(
    messages: readonly QueueMessage[],
    progress: (sent: Sent) => Partial<SubscriptionState> = () => ({}),
    toQueue?: string,
  ): Promise<void> {
    const { queueUrl } = this.state;
    if (toQueue === undefined && messages.length > 0) await this.#given.demandScope();
    const sent: Sent = this.#deadline.aborted
      ? { accepted: 0, failure: 'late' }
      : await sendInOrder(this.#options.queues, toQueue ?? queueUrl, messages, this.#deadline);
    if (sent.failure === undefined) return;
    const { clock } = this.#options;
    const late = sent.failure === 'late';
    if (!late) {
      this.#options.metrics?.record('FailedSends', 1);
      this.tell(EVENT_RECORDS.sendFailed(explained(sent.message ?? '', this.state)));
    }
    const failures = late ? this.state.failures : this.state.failures + 1;
    const isLost = sent.failure === 'gone' && this.state.queueArn !== '' && this.state.queueUrl !== '';
    await this.#store({
      ...(isLost ? restarted(this.state, 'gone') : { ...progress(sent), attempt: this.state.attempt + 1 }),
      failures,
      failure: explained(sent.message ?? '', this.state),
      nextAttempt: late ? 0 : clock.now() + backoff(failures),
    });
    const { name, uid, collection, start, attempt } = this.state;
    if (late) {
      const notices = new ReconcileRequests(this.#options, this.#given.hops);
      notices.add({ kind: 'subscription', name, uid, collection }, `late/${start}/${attempt}`);
      await notices.send();
    }
    throw new SendRefusedError(sent.message);
  }

  /** Gives up for a while, as {@link send} does: stored for the status, and tried again by the schedule. */
  async putOff(failure: string): Promise<never> {
    const failures = this.state.failures + 1;
    await this.#store({ failures, failure, nextAttempt: this.#options.clock.now() + backoff(failures) });
    throw new SendRefusedError(failure);
  }

  async #store(change: Partial<SubscriptionState>, more: Partial<typeof WITHOUT_LEASE> = {}): Promise<void> {
    const { table, queues } = this.#options;
    const asLeft: Condition = [
      { attribute: 'leaseHolder', is: '=', value: this.#given.holder },
      sinceStored(this.state),
    ];
    const stored = this.state.stored + 1;
    const row = { ...this.#unstored, ...change, ...more } as Parameters<typeof updateState>[2];
    if (!(await updateState(table, this.state, { ...row, stored }, asLeft))) {
      // The subscription went while its queue was being made. A queue of a user is never deleted.
      const made = this.state.queueArn === '' ? this.#unstored.queueUrl : undefined;
      if (made !== undefined) await queues.delete(made);
      throw new Error(`the state of subscription ${stateKey(this.state).sk} is gone, or leased by another`);
    }
    this.#unstored = {};
    this.state = { ...this.state, ...change, stored };
  }
}

/** Its author may have other objects told than those that were read. */
export class ScopeMovedError extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(SCOPE_CHANGED);
    this.verdict = verdict;
  }
}

/** Its author was not seen for so long that nothing is sent. */
export class AuthorHeldError extends Error {
  readonly standing: string;

  constructor(standing: string) {
    super(NOT_SEEN);
    this.standing = standing;
  }
}

/** The queue could not be made, or did not take a message; how far it came is stored. */
export class SendRefusedError extends Error {}
