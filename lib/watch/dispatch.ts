import { type Clock, type Logger, type Metrics, mapBounded, type Random, TIMING } from '../platform/index.ts';
import {
  type Collection,
  cursorKey,
  GoneError,
  type JournalChange,
  type Key,
  type Store,
  type Table,
} from '../store/index.ts';
import { Deliveries } from './deliveries.ts';
import { eventMessage } from './event-message.ts';
import { gatherEvents, type Recipient } from './gather-events.ts';
import type { Hints } from './hints.ts';
import { acquireLease, LeaseHeldError, type LeaseOptions, releaseLease } from './lease.ts';
import { MemberIndexes } from './member-indexes.ts';
import { admit, fallBack, restart } from './membership.ts';
import type { Hint } from './messages.ts';
import { Notices } from './notices.ts';
import type { Queues } from './queues.ts';
import { reconcileMessages } from './reconcile-messages.ts';
import { NAMESPACES } from './reconcile-namespace.ts';
import { sendInOrder } from './send.ts';
import { SUBSCRIPTIONS, type TargetResource, type TargetResources } from './subscription.ts';
import { readStates, type SubscriptionState } from './subscription-state.ts';
import { within } from './within.ts';

export interface DispatchOptions {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly reconcileQueueUrl: string;
  readonly resources: TargetResources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

export interface Dispatcher {
  /**
   * Takes the turns it needs until the collection's cursor has reached the hint; returns at once when it has.
   * `signal` is the end of the invocation's time.
   *
   * @throws {LeaseHeldError} another dispatcher holds the collection; the hint comes again.
   */
  dispatch(hint: Hint, signal?: AbortSignal): Promise<void>;
}

/** Changes in one turn: what is sent again after a crash. */
const TURN = 500;
/**
 * A turn ends earlier with the change that reaches one of these. The batches, of {@link QUEUES_AT_ONCE} queues side
 * by side, take half of the time there is to send where each takes 10 ms; the bytes of the journal, decoded, are
 * in memory together.
 */
const MOST = { batches: 20_000, bytes: 16 * 2 ** 20 };
const QUEUES_AT_ONCE = 16;
const LEASE_PAUSE = 250;
/** The settled mark need not follow closely: it is raised once in this many changes. */
const SETTLED_STEP = 64;

/** Keep one a process: it remembers what the subscriptions select. */
export function createDispatcher(given: DispatchOptions): Dispatcher {
  const indexes = new MemberIndexes();
  return {
    async dispatch(hint, signal) {
      const options = within(given, signal);
      const { table, clock, random } = options;
      const target = options.resources.of(hint.collection);
      if (target === undefined) return;
      if (hint.admit !== true && (await readCursor(table, hint.collection)) >= hint.rv) return;

      const deadline = clock.deadline(TIMING.dispatchSends);
      const lastTurn = clock.deadline(TIMING.dispatchLastTurn);
      const key = cursorKey(hint.collection);
      const lease = { table, clock, key, holder: random.uuid(), lifetime: TIMING.dispatchLease };
      const turn = { ...options, indexes, target, holder: lease.holder, deadline };
      await waitForLease(lease, lastTurn);
      let again: string | undefined;
      try {
        let position: number;
        do {
          const notices = new Notices(options);
          try {
            position = await takeTurn({ ...turn, notices, deliveries: new Deliveries(options) });
          } finally {
            await notices.send();
          }
        } while (position < hint.rv && !lastTurn.aborted);
        if (position < hint.rv) again = `continue/${position}`;
      } finally {
        await releaseLease(lease);
      }
      // A long backlog is another invocation's.
      if (again !== undefined) await options.hints.offer(hint, again);
    },
  };
}

async function waitForLease(lease: LeaseOptions, deadline: AbortSignal): Promise<void> {
  while ((await acquireLease(lease)) === undefined) {
    if (deadline.aborted) throw new LeaseHeldError(`${lease.key.pk} is leased`);
    await lease.clock.sleep(LEASE_PAUSE, deadline);
  }
}

/** Everything up to here was sent to every synced subscription. */
export async function readCursor(table: Table, collection: Collection): Promise<number> {
  const row = await table.get(cursorKey(collection));
  return Number(row?.position ?? 0);
}

interface Turn extends DispatchOptions {
  readonly indexes: MemberIndexes;
  readonly target: TargetResource;
  readonly holder: string;
  readonly deadline: AbortSignal;
  readonly deliveries: Deliveries;
  readonly notices: Notices;
}

/**
 * One turn under the lease. Answers the cursor's new position.
 *
 *   membership   restarts that reconcile asked for; who is synced, and who is ready to be
 *   journal      the changes behind the cursor (and behind who is ready), settled
 *   events       the members' index says who saw each change enter, change or leave
 *   send         to the queues concerned side by side, each in order; one that fails falls back to catching up
 *   cursor       moved last: a crash before it sends the same again
 *   notices      reconcile is told whose membership changed, and of changes of subscriptions and namespaces
 */
async function takeTurn(turn: Turn): Promise<number> {
  const { table, store, target, clock } = turn;
  const cursor = Math.max(await readCursor(table, target.collection), 1);
  const head = await store.head(target.collection);
  const states = await restartWhereAsked(turn, await readStates(table, target));
  const admitted = states.filter(({ membership }) => membership === 'synced' || membership === 'ready');
  const [near, far] = split(admitted, (state) => sentTo(state, cursor) >= cursor - TURN);
  await mapBounded(far, QUEUES_AT_ONCE, (state) => fallBack(turn, state, { position: state.position }));

  const internal = target.collection === SUBSCRIPTIONS || target.collection === NAMESPACES;
  // Nobody is there to be told.
  if (near.length === 0 && !internal) return moveCursor(turn, Math.max(cursor, head));
  const upTo = Math.min(head, cursor + TURN);
  const from = near.reduce((least, state) => Math.min(least, sentTo(state, cursor)), cursor);
  const changes = await changesOf(turn, { from, upTo }, near);
  if (changes === undefined) return moveCursor(turn, Math.max(cursor, upTo));
  const members = near.map((state): Member => ({ state, floor: sentTo(state, cursor), events: [] }));
  const reached = gather(turn, members, { cursor, upTo, changes });
  if (internal) {
    const told = changes.filter(({ rv }) => rv > cursor && rv <= reached);
    turn.notices.add(...reconcileMessages(turn.resources, told));
  }
  const concerned = members.filter(({ state, events }) => events.length > 0 || state.membership === 'ready');
  const began = clock.now();
  await mapBounded(concerned, QUEUES_AT_ONCE, (member) => advance(turn, member, reached));
  turn.logger.debug('sent a turn', {
    ...{ collection: target.collection, from, upTo: reached },
    ...{ members: members.length, concerned: concerned.length, took: clock.now() - began },
  });
  turn.deliveries.log(target.collection, reached);
  if (crosses(cursor, reached, SETTLED_STEP)) await store.raise(target.collection, 'settled', reached);
  return moveCursor(turn, Math.max(cursor, reached));
}

/** A synced subscription was sent everything up to the cursor; one that was just admitted may be ahead of it. */
function sentTo(state: SubscriptionState, cursor: number): number {
  return state.membership === 'synced' ? Math.max(state.position, cursor) : state.position;
}

async function changesOf(
  turn: Turn,
  { from, upTo }: { readonly from: number; readonly upTo: number },
  members: readonly SubscriptionState[],
): Promise<JournalChange[] | undefined> {
  try {
    return await turn.store.changes(turn.target.collection, from, upTo);
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
    // Dispatch stood still for longer than the journal is kept: everybody begins anew.
    turn.logger.error('the cursor fell behind the compacted journal', { collection: turn.target.collection });
    await mapBounded(members, QUEUES_AT_ONCE, (state) => restart(turn, state, error.message));
    return undefined;
  }
}

interface Member extends Recipient {
  readonly state: SubscriptionState;
}

interface Stretch {
  readonly cursor: number;
  readonly upTo: number;
  readonly changes: readonly JournalChange[];
}

/** Nothing may come between the refresh and the look: another turn of this process has other members. */
function gather({ indexes, target }: Turn, members: readonly Member[], stretch: Stretch): number {
  const states = members.map(({ state }) => state);
  return gatherEvents({
    ...stretch,
    index: indexes.refreshed(target, states),
    recipients: new Map(members.map((member) => [member.state.uid, member])),
    most: MOST,
  });
}

async function advance(turn: Turn, { state, floor, events }: Member, upTo: number): Promise<void> {
  const messages = events.map((event) => eventMessage(state, event));
  const sent = await sendInOrder(turn.queues, state.queueUrl, messages, turn.deadline);
  turn.deliveries.note(events, sent);
  const { accepted, failure, message } = sent;
  if (failure !== undefined) {
    const { auditID } = events[accepted] ?? {};
    const position = (events[accepted]?.object.rv ?? upTo + 1) - 1;
    await fallBack(turn, state, { position: Math.max(position, floor), failure, message, auditID });
  } else if (state.membership === 'ready') {
    await admit(turn, state, Math.max(state.position, upTo));
  }
}

async function restartWhereAsked(
  turn: Turn,
  states: readonly SubscriptionState[],
): Promise<SubscriptionState[]> {
  const [asked, others] = split(
    states,
    (state) => state.restart !== '' && state.membership !== 'catching-up',
  );
  await mapBounded(asked, QUEUES_AT_ONCE, (state) => restart(turn, state, state.restart));
  return others;
}

/** Moves the cursor, provided the lease is still held. */
async function moveCursor(turn: Turn, position: number): Promise<number> {
  const key: Key = cursorKey(turn.target.collection);
  const { outcome } = await turn.table.update(key, {
    set: { position },
    condition: [{ attribute: 'leaseHolder', is: '=', value: turn.holder }],
  });
  if (outcome !== 'done') throw new LeaseHeldError(`the lease on ${key.pk} was lost`);
  return position;
}

function crosses(from: number, to: number, step: number): boolean {
  return Math.floor(to / step) > Math.floor(from / step);
}

function split<Item>(items: readonly Item[], holds: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}
