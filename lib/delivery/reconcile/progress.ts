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
  /** The URL of the reconcile queue. */
  readonly reconcileQueueUrl: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

export interface ProgressGiven {
  /** The holder of the lease on the state row. */
  readonly holder: string;
  /** How many messages led to the messages that are sent here. */
  readonly hops: number;
  readonly state: SubscriptionState;
  /**
   * Checks the author's permissions after objects were read and before they are sent.
   *
   * @throws {ScopeMovedError} {@link AuthorHeldError}
   */
  readonly demandScope: () => Promise<void>;
}

const WITHOUT_LEASE = { leaseHolder: undefined, leaseExpires: undefined };

/**
 * The progress of one reconciliation, under the lease. `state` is the row, with the noted changes that the next step
 * stores. After a crash before that step, the work that led to these changes is repeated.
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

  /** Whether any noted change is not stored yet. */
  get isUnstored(): boolean {
    return Object.keys(this.#unstored).length > 0;
  }

  /** Notes a change, which the next step stores. */
  note(change: Partial<SubscriptionState>): void {
    this.#unstored = { ...this.#unstored, ...change };
    this.state = { ...this.state, ...change };
  }

  /** Notes the author, and the status of the author. Events report a change of this status. */
  noteAuthor(author: string, standing: string): void {
    if (this.state.author !== author) this.note({ author });
    if (this.state.standing === standing) return;
    for (const happening of standingHappenings(this.state, standing)) this.tell(happening);
    this.note({ standing });
  }

  /**
   * Notes a change, as {@link note} does. If Winnow keeps a digest, it stores the change at once. A repeated page may
   * end elsewhere, so its messages would not have the same sequence and set.
   */
  async keep(change: Partial<SubscriptionState>): Promise<void> {
    this.note(change);
    if (this.state.tally !== '') await this.#store({});
  }

  /** The Events of this reconciliation, the last of each reason. */
  get happened(): readonly EventRecord[] {
    return [...this.#happened.values()];
  }

  /** Adds an Event. It is recorded after the reconciliation. */
  tell(happening: EventRecord): void {
    this.#happened.set(happening.reason, happening);
  }

  /**
   * Stores a change together with the noted ones.
   *
   * @throws {Error} the row is gone, or another process holds its lease.
   */
  store(change: Partial<SubscriptionState>): Promise<void> {
    return this.#store(change);
  }

  /** The same as {@link store}. The lease ends with it. */
  handOver(change: Partial<SubscriptionState>): Promise<void> {
    return this.#store(change, WITHOUT_LEASE);
  }

  /** Notes the URL of a queue that was just created. */
  noteQueue(queueUrl: string): void {
    this.note({ queueUrl });
    this.#isQueueUntold = true;
  }

  /** Stores the queue's URL before anything is sent that a restart has to revoke. Without a queue, nothing was sent. */
  async storeQueue(): Promise<void> {
    if (this.#unstored.queueUrl !== undefined) await this.#store({});
  }

  /** Writes the queue's URL into the status if catching up takes more than one step. */
  async tellQueue(): Promise<void> {
    if (this.#isQueueUntold) await writeSubscriptionStatus(this.#options, this.state.name, this.state);
    this.#isQueueUntold = false;
  }

  /**
   * Sends messages. If that fails, it stores the progress and a higher attempt, and stops until `tick` requests another
   * reconcile. If only the time was over, it requests another reconcile at once.
   *
   * @throws {SendRefusedError} {@link ScopeMovedError} for messages to the subscription's queue, if the author's scope
   * has changed
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

  /**
   * Stops for a while, as {@link send} does. It stores the failure for the status, and `tick` requests another
   * reconcile.
   */
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
      // The subscription was deleted while its queue was being created. A user-owned queue is never deleted.
      const made = this.state.queueArn === '' ? this.#unstored.queueUrl : undefined;
      if (made !== undefined) await queues.delete(made);
      throw new Error(
        `the state of subscription ${stateKey(this.state).sk} is gone, or another process holds its lease`,
      );
    }
    this.#unstored = {};
    this.state = { ...this.state, ...change, stored };
  }
}

/** The author's scope differs from the one under which the objects were read. */
export class ScopeMovedError extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(SCOPE_CHANGED);
    this.verdict = verdict;
  }
}

/** The author was not seen for so long that Winnow sends nothing. */
export class AuthorHeldError extends Error {
  readonly standing: string;

  constructor(standing: string) {
    super(NOT_SEEN);
    this.standing = standing;
  }
}

/** The queue could not be created, or did not accept a message. The progress is stored. */
export class SendRefusedError extends Error {}
