import { type Clock, type Logger, mapBounded, type Random, TIMING } from '../platform/index.ts';
import {
  type Collection,
  type Condition,
  cursorKey,
  GoneError,
  type JournalChange,
  type Key,
  objectAt,
  type Store,
  type Table,
} from '../store/index.ts';
import { eventMessage } from './event-message.ts';
import type { Hints } from './hints.ts';
import { acquireLease, type LeaseOptions, releaseLease } from './lease.ts';
import { type Hint, type ReconcileMessage, reconcileMessage } from './messages.ts';
import type { QueueMessage, Queues } from './queues.ts';
import { type SendFailure, sendAll, sendInOrder } from './send.ts';
import { SUBSCRIPTIONS, type TargetResource, type TargetResources } from './subscription.ts';
import { backoff, readStates, restarted, type SubscriptionState, updateState } from './subscription-state.ts';
import { transition } from './transition.ts';
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

/** Another dispatcher holds the collection's lease. */
export class LeaseHeldError extends Error {
  override name = 'LeaseHeldError';
}

const NAMESPACES: Collection = 'core/namespaces';
/** Changes in one turn: what is sent again after a crash. */
const TURN = 500;
const QUEUES_AT_ONCE = 16;
const LEASE_PAUSE = 250;
/** No turn begins later than this after the invocation: what it has to send would be cut off. In ms. */
const LAST_TURN = TIMING.dispatchSends / 2;
/** The settled mark need not follow closely: it is raised once in this many changes. */
const SETTLED_STEP = 64;

export function createDispatcher(given: DispatchOptions): Dispatcher {
  return {
    async dispatch(hint, signal) {
      const options = within(given, signal);
      const { table, clock, random } = options;
      const target = options.resources.of(hint.collection);
      if (target === undefined) return;
      if (hint.admit !== true && (await readCursor(table, hint.collection)) >= hint.rv) return;

      const deadline = clock.deadline(TIMING.dispatchSends);
      const lastTurn = clock.deadline(LAST_TURN);
      const key = cursorKey(hint.collection);
      const lease = { table, clock, key, holder: random.uuid(), lifetime: TIMING.dispatchLease };
      await waitForLease(lease, lastTurn);
      let again: string | undefined;
      try {
        let position: number;
        do {
          position = await takeTurn({ ...options, target, holder: lease.holder, deadline });
        } while (position < hint.rv && !lastTurn.aborted);
        if (position < hint.rv) again = `continue/${position}`;
      } finally {
        await releaseLease(lease);
      }
      // A long backlog is another invocation's; failing this one would hold its message back for minutes.
      if (again !== undefined) await options.hints.send([hint], again);
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
  readonly target: TargetResource;
  readonly holder: string;
  readonly deadline: AbortSignal;
}

/**
 * One turn under the lease. Answers the cursor's new position.
 *
 *   membership   restarts that reconcile asked for; who is synced, and who is ready to be
 *   journal      the changes behind the cursor (and behind who is ready), settled
 *   internal     changes of subscriptions and namespaces go to reconcile
 *   send         to all queues side by side, each in order; one that fails falls back to catching up
 *   cursor       moved last: a crash before it sends the same again
 */
async function takeTurn(turn: Turn): Promise<number> {
  const { table, store, target, clock } = turn;
  const cursor = Math.max(await readCursor(table, target.collection), 1);
  const head = await store.head(target.collection);
  const states = await restartWhereAsked(turn, await readStates(table, target));
  const members = states.filter((state) => state.membership === 'synced' || state.membership === 'ready');
  const [near, far] = split(members, (state) => sentTo(state, cursor) >= cursor - TURN);
  await mapBounded(far, QUEUES_AT_ONCE, (state) => fallBack(turn, state, { position: state.position }));

  const internal = target.collection === SUBSCRIPTIONS || target.collection === NAMESPACES;
  const upTo = near.length > 0 || internal ? Math.min(head, cursor + TURN) : head;
  const from = Math.min(cursor, ...near.map((state) => sentTo(state, cursor)));
  if (near.length > 0 || internal) {
    const changes = await changesOf(turn, from, upTo, near);
    if (changes !== undefined) {
      if (internal)
        await tellReconcile(
          turn,
          changes.filter((change) => change.rv > cursor),
        );
      const began = clock.now();
      await mapBounded(near, QUEUES_AT_ONCE, (state) => advance(turn, state, { cursor, upTo, changes }));
      turn.logger.debug('sent a turn', {
        collection: target.collection,
        from,
        upTo,
        took: clock.now() - began,
      });
      if (crosses(cursor, upTo, SETTLED_STEP)) await store.raise(target.collection, 'settled', upTo);
    }
  }
  return moveCursor(turn, Math.max(cursor, upTo));
}

/** A synced subscription was sent everything up to the cursor; one that was just admitted may be ahead of it. */
function sentTo(state: SubscriptionState, cursor: number): number {
  return state.membership === 'synced' ? Math.max(state.position, cursor) : state.position;
}

async function changesOf(
  turn: Turn,
  from: number,
  upTo: number,
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

interface Stretch {
  readonly cursor: number;
  readonly upTo: number;
  readonly changes: readonly JournalChange[];
}

async function advance(turn: Turn, state: SubscriptionState, stretch: Stretch): Promise<void> {
  const floor = sentTo(state, stretch.cursor);
  const events = stretch.changes.flatMap((change) => {
    const event = change.rv > floor ? transition(change, state.filter) : undefined;
    return event === undefined ? [] : [{ rv: change.rv, message: eventMessage(state, event) }];
  });
  const messages = events.map((event) => event.message);
  const { accepted, failure, message } = await sendInOrder(
    turn.queues,
    state.queueUrl,
    messages,
    turn.deadline,
  );
  if (failure !== undefined) {
    const position = (events[accepted]?.rv ?? stretch.upTo + 1) - 1;
    await fallBack(turn, state, { position: Math.max(position, floor), failure, message });
  } else if (state.membership === 'ready') {
    const position = Math.max(state.position, stretch.upTo);
    await updateState(turn.table, state, { membership: 'synced', position }, asRead(state));
    await poke(turn, state, `synced/${state.start}/${state.attempt}`);
  }
}

interface Fall {
  readonly position: number;
  readonly failure?: SendFailure | undefined;
  readonly message?: string | undefined;
}

/** Makes a subscription catch up from where it stands. Stored before the cursor moves. */
async function fallBack(turn: Turn, state: SubscriptionState, fall: Fall): Promise<void> {
  const refused = fall.failure === 'refused';
  const failures = refused ? state.failures + 1 : state.failures;
  const change = {
    ...{ membership: 'catching-up', step: 'journal', position: fall.position },
    ...{ attempt: state.attempt + 1, failures, failure: fall.message ?? '' },
    nextAttempt: refused ? turn.clock.now() + backoff(failures) : 0,
  };
  await updateState(turn.table, state, change, asRead(state));
  turn.logger.warn('a subscription fell back to catching up', { uid: state.uid, ...fall });
  // Reconcile shows it in the status, and goes on at once but where the queue refuses.
  await poke(turn, state, `behind/${state.start}/${state.attempt + 1}`);
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

async function restart(turn: Turn, state: SubscriptionState, why: string): Promise<void> {
  await updateState(turn.table, state, { ...restarted(state, 'gone'), failure: why }, asRead(state));
  await poke(turn, state, `restart/${state.start + 1}`);
}

/** A dispatcher that outlived its lease must not touch what is no longer its own. */
function asRead({ membership, start, attempt }: SubscriptionState): Condition {
  return Object.entries({ membership, start, attempt }).map(([attribute, value]) => ({
    ...{ attribute, is: '=', value },
  }));
}

async function poke(turn: Turn, state: SubscriptionState, occasion: string): Promise<void> {
  const { name, uid, collection } = state;
  const message = reconcileMessage({ kind: 'subscription', name, uid, collection }, occasion);
  await sendAll(turn.queues, turn.reconcileQueueUrl, [message]);
}

async function tellReconcile(turn: Turn, changes: readonly JournalChange[]): Promise<void> {
  const messages = changes.flatMap((change): QueueMessage[] => {
    const message = reconcileMessageFor(turn.resources, change);
    return message === undefined ? [] : [reconcileMessage(message, String(change.rv))];
  });
  await sendAll(turn.queues, turn.reconcileQueueUrl, messages);
}

function reconcileMessageFor(
  resources: TargetResources,
  change: JournalChange,
): ReconcileMessage | undefined {
  const { body, name, uid } = change.state;
  if (body.kind === 'Namespace') {
    const terminating = change.type !== 'DELETED' && objectAt(body.metadata).deletionTimestamp !== undefined;
    return terminating ? { kind: 'namespace', name: name.name } : undefined;
  }
  const { group = '', resource } = objectAt(objectAt(body.spec).resource);
  const target = resources.find(String(group), String(resource));
  return target && { kind: 'subscription', name, uid, collection: target.collection };
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
