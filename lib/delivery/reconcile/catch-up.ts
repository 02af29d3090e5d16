import type { Hints } from '../../coordination/index.ts';
import { EVENT_RECORDS, type EventRecord } from '../../kubernetes/lifecycle/index.ts';
import { GoneError } from '../../store/index.ts';
import { type AuthoredNow, NOT_SEEN, SCOPE_CHANGED } from '../authority/index.ts';
import { bookmarkMessage, goneMessage } from '../event-message.ts';
import {
  chosen,
  isHeld,
  restarted,
  type Selection,
  type SubscriptionState,
  whySuspended,
} from '../subscription/index.ts';
import { askDispatch, askDispatchAgain } from './ask-dispatch.ts';
import { countSet } from './count-set.ts';
import { KeptQueue, type KeptQueueOptions } from './current-queue.ts';
import { type DeliveryRequest, desiredSelection } from './desired-selection.ts';
import { followJournal } from './follow-journal.ts';
import {
  AuthorHeldError,
  Progress,
  type ProgressGiven,
  ScopeMovedError,
  SendRefusedError,
} from './progress.ts';
import type { QueueDepth } from './queue-depth.ts';
import { sendDifference } from './send-difference.ts';

export interface CatchUpOptions extends KeptQueueOptions {
  readonly hints: Hints;
  /** Objects in one page of a snapshot or of an edit's comparison; default: 100. */
  readonly page?: number;
}

/** The most changes that are left to dispatch's next round. A round takes subscriptions that are at most 500 behind. */
const NEAR = 200;

/** The human-readable reasons of a recall. */
const EDITED = 'the subscription was edited';
const RELABELLED = 'it selects from other namespaces';

export interface CatchUpGiven extends Omit<ProgressGiven, 'demandScope'>, Omit<DeliveryRequest, 'scope'> {
  /** The author's permissions and the objects that they allow. */
  readonly authored: AuthoredNow;
  /** The violation of the deployment's rules, as text; '': none. */
  readonly violation: string;
  /** Dispatch has just activated it, so its queue is not checked. */
  readonly isAdmitted: boolean;
}

/** The steps of one reconciliation, under the lease. The lease ends with the step that hands the subscription over. */
export class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #given: CatchUpGiven;
  readonly #progress: Progress;
  /** The selection that the object requests. */
  #wanted: Selection;
  /** Dispatch owns the subscription now, and the lease is released. */
  isHandedOver = false;
  readonly #queue: KeptQueue;

  constructor(options: CatchUpOptions, given: CatchUpGiven) {
    this.#options = options;
    this.#given = given;
    this.#progress = new Progress(options, { ...given, demandScope: () => this.#demandScope() });
    this.#wanted = desiredSelection({ ...given, scope: given.authored.scope });
    this.#queue = new KeptQueue(options, this.#progress, given);
  }

  get state(): SubscriptionState {
    return this.#progress.state;
  }

  /** The number of messages in its queue, if the queue was checked. */
  get depth(): QueueDepth | undefined {
    return this.#queue.depth;
  }

  get happened(): readonly EventRecord[] {
    return this.#progress.happened;
  }

  async run(): Promise<void> {
    const progress = this.#progress;
    const { failure: namespacesFailure } = this.#given.selected;
    if (this.state.namespacesFailure !== namespacesFailure) progress.note({ namespacesFailure });
    const { violation } = this.#given;
    if (this.state.violation !== violation) progress.note({ violation });
    const queueLost = this.state.queueUrl !== '' && !(await this.#queue.exists(this.#given.isAdmitted));
    if (!queueLost && !this.#given.isAdmitted) await this.#queue.permit();
    if (this.state.membership !== 'catching-up') return this.#leaveToDispatch(queueLost);
    if (queueLost) await this.#beginWithoutQueue();
    // After a queue refused messages, reconcile does not use it until `nextAttempt`, even if another message requests
    // the reconcile. If no queue could be created, an edit may have removed the cause.
    const isMended = this.state.queueUrl === '' && this.#isUntold;
    const isLeftAlone = () => !isMended && this.state.nextAttempt > this.#options.clock.now();
    if (this.#given.spec.suspended) return this.#suspend(isLeftAlone());
    this.#resume();
    const { author, standing } = this.#given.authored;
    if (isHeld(standing)) return this.#hold(standing);
    if (isLeftAlone()) return;
    progress.noteAuthor(author, standing);
    // Winnow does not continue a delivery under permissions that are gone.
    if (this.#isRegranted && this.#isBegun) await this.#begin(SCOPE_CHANGED, 'gone');
    if (this.#isEdited ? !this.#isBegun : this.#isUntold) progress.note(this.#wanted);
    try {
      if (this.state.queueUrl === '') await this.#queue.make();
      if (this.state.step === 'gone') await this.#sendGone();
      await this.#finishEdit();
      while (this.#isEdited) {
        await this.#beginEdit();
        await this.#finishEdit();
      }
      await this.#readOn();
    } catch (error) {
      if (error instanceof GoneError) {
        await this.#begin(error.message, 'gone');
      } else if (error instanceof ScopeMovedError) {
        const { scope, standing } = error.verdict;
        this.#wanted = { ...this.#wanted, scope };
        progress.noteAuthor(author, standing);
        await this.#begin(SCOPE_CHANGED, 'gone');
      } else if (error instanceof AuthorHeldError) {
        await this.#hold(error.standing);
      } else if (!(error instanceof SendRefusedError)) throw error;
    }
  }

  /** Whether the row has not seen the object's current generation. */
  get #isUntold(): boolean {
    return this.state.generation !== this.#wanted.generation;
  }

  /** Whether the object requests another selection, or another form of delivery, than the current one. */
  get #isEdited(): boolean {
    return chosen(this.#wanted) !== chosen(this.state);
  }

  /** Whether the author may now see other objects than those that are delivered. */
  get #isRegranted(): boolean {
    return this.#wanted.scope !== this.state.scope;
  }

  /** @throws {ScopeMovedError} {@link AuthorHeldError} */
  async #demandScope(): Promise<void> {
    const verdict = await this.#given.authored.again();
    if (isHeld(verdict.standing)) throw new AuthorHeldError(verdict.standing);
    if (verdict.scope !== this.#wanted.scope) throw new ScopeMovedError(verdict);
  }

  /**
   * Whether anything may have been sent since the first start or the last restart. The queue's name shows it, because
   * it is stored before the queue exists. The queue's URL does not show it: the bookmark of an empty set is sent before
   * the URL is stored.
   */
  get #isBegun(): boolean {
    const { queueName, step, position } = this.state;
    return queueName !== '' && step !== 'gone' && position !== 0;
  }

  /** Dispatch owns the state. Only dispatch may take the subscription out of the synced set. */
  async #leaveToDispatch(queueLost: boolean): Promise<void> {
    if (queueLost) return this.#recall('the queue is gone');
    if (this.#given.spec.suspended) return this.#recall('the subscription is suspended');
    if (isHeld(this.#given.authored.standing)) return this.#recall(NOT_SEEN);
    if (this.#isRegranted) return this.#recall(SCOPE_CHANGED);
    if (this.#isEdited || this.state.author !== this.#given.authored.author) {
      return this.#recall(this.#isUntold ? EDITED : RELABELLED);
    }
    const { generation } = this.#wanted;
    this.#progress.noteAuthor(this.state.author, this.#given.authored.standing);
    if (this.#isUntold || this.#progress.isUnstored) await this.#progress.store({ generation });
    if (this.state.membership === 'ready') await askDispatchAgain(this.#asking());
  }

  /** Sends nothing. It still creates the queue, so that its consumer can be attached. */
  async #suspend(isLeftAlone: boolean): Promise<void> {
    const { generation } = this.#wanted;
    await this.#noteRights();
    if (this.state.suspended === 0) {
      this.#progress.tell(EVENT_RECORDS.suspended(whySuspended(this.state, 'delivery')));
    }
    const isUnstored = this.state.suspended !== generation || this.#progress.isUnstored;
    if (isUnstored) await this.#progress.store({ suspended: generation });
    if (this.state.queueUrl !== '' || isLeftAlone) return;
    try {
      await this.#queue.make();
      await this.#progress.storeQueue();
    } catch (error) {
      if (!(error instanceof SendRefusedError)) throw error;
    }
  }

  /**
   * Updates the author of a suspended subscription. If its scope has changed, it starts with a new snapshot once
   * resumed.
   */
  async #noteRights(): Promise<void> {
    const { author, standing, scope } = this.#given.authored;
    this.#progress.noteAuthor(author, standing);
    if (!this.#isRegranted) return;
    if (this.#isBegun) return this.#begin(SCOPE_CHANGED, 'gone');
    this.#progress.note({ scope });
  }

  /** Sends nothing and keeps the position until the author is seen again. */
  async #hold(standing: string): Promise<void> {
    this.#progress.noteAuthor(this.#given.authored.author, standing);
    if (this.#progress.isUnstored) await this.#progress.store({});
  }

  /** Continues a suspended subscription from its position. */
  #resume(): void {
    if (this.state.suspended === 0) return;
    if (!isHeld(this.#given.authored.standing)) {
      this.#progress.tell(EVENT_RECORDS.resumed(this.state.position));
    }
    // The ERROR message carries the reason of the restart, so that reason stays.
    const failure = this.state.step === 'gone' ? this.state.failure : '';
    this.#progress.note({ suspended: 0, nextAttempt: 0, failure });
  }

  async #recall(why: string): Promise<void> {
    if (this.state.recall === why) return askDispatchAgain(this.#asking());
    await this.#progress.store({ recall: why });
    await askDispatch(this.#asking());
  }

  #asking() {
    const { table, hints, clock } = this.#options;
    const { uid, collection } = this.state;
    return { table, hints, clock, uid, collection, hops: this.#given.hops };
  }

  async #begin(
    why: string,
    step: 'gone' | 'difference',
    queue: Partial<SubscriptionState> = {},
  ): Promise<void> {
    await this.#progress.store({
      ...restarted(this.state, step),
      ...this.#wanted,
      failure: why,
      ...queue,
    });
  }

  async #beginWithoutQueue(): Promise<void> {
    this.#progress.tell(EVENT_RECORDS.queueLost(this.state.queueUrl));
    await this.#begin('the queue is gone', 'difference', { queueName: '', queueUrl: '' });
  }

  async #sendGone(): Promise<void> {
    await this.#progress.send([goneMessage(this.state, this.state.failure)]);
    this.#progress.tell(EVENT_RECORDS.startedAfresh(this.state.failure));
    await this.#progress.store({ step: 'difference' });
  }

  /**
   * Before an edit begins, reconcile follows the journal under the old selection, up to a head above everything that
   * was sent under it. See {@link Step}.
   */
  async #beginEdit(): Promise<void> {
    await this.#followTo(await this.#head());
    const { edit } = this.state;
    const begun = { step: 'difference', edit: edit + 1, from: chosen(this.state), boundary: '' } as const;
    await this.#progress.store({ ...this.#wanted, ...begun });
  }

  /** Completes the current edit from where it is. A further edit waits for its end. */
  async #finishEdit(): Promise<void> {
    if (this.state.step === 'journal') return;
    const progress = this.#progress;
    if (this.state.step === 'count') return countSet(progress, this.#source);
    if (this.state.position === 0) await progress.store({ position: await this.#head() });
    for (;;) {
      if (this.state.step === 'between') await this.#meetHead();
      const reached = await sendDifference(progress, this.#source);
      if (reached.boundary === undefined) return this.#endEdit(reached);
      await progress.keep({ ...reached, step: 'between' });
    }
  }

  async #endEdit(reached: Partial<SubscriptionState>): Promise<void> {
    const progress = this.#progress;
    // Not in one batch with the objects: SQS may accept the bookmark and refuse one of them.
    await progress.send([bookmarkMessage(this.state, this.state.position)]);
    const { from, edit, generation } = this.state;
    if (from !== '') progress.tell(EVENT_RECORDS.edited(edit, generation));
    await progress.keep({ ...reached, step: 'journal', from: '', boundary: '' });
  }

  /** Follows the journal to the head between two pages of an edit. */
  async #meetHead(): Promise<void> {
    await this.#followTo(await this.#head());
    await this.#progress.store({ step: 'difference', failures: 0 });
    await this.#progress.tellQueue();
  }

  /**
   * Sends the journal's changes after the position until it is near the head. Then dispatch takes over and sends the
   * rest. Reading up to the head itself might never end while writers are as fast.
   */
  async #readOn(): Promise<void> {
    for (;;) {
      const head = await this.#head();
      // If the queue refused messages, reconcile sends them all itself: in a round of dispatch, they would delay other
      // subscriptions.
      const near = this.state.failures > 0 ? 0 : NEAR;
      if (head - this.state.position <= near) break;
      await this.#followTo(head, near);
    }
    const ready = { membership: 'ready', failures: 0, nextAttempt: 0, failure: '', recall: '' } as const;
    await this.#progress.handOver(ready);
    this.isHandedOver = true;
    await askDispatch(this.#asking());
  }

  #followTo(upTo: number, near = 0): Promise<void> {
    return followJournal(this.#progress, { ...this.#source, upTo, near });
  }

  get #source() {
    const { store, page } = this.#options;
    return { store, page, target: this.#given.spec.target };
  }

  #head(): Promise<number> {
    return this.#options.store.head(this.state.collection);
  }
}
