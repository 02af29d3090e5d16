import { type Clock, type Logger, MEMORY, type Metrics, mapBounded, TIMING } from '../../platform/index.ts';
import { type ChangeStretch, GoneError, type Store, type Table } from '../../store/index.ts';
import { type Cursor, moveCursor } from '../cursor.ts';
import { eventMessage } from '../event-message.ts';
import { tellGroups } from '../groups/index.ts';
import type { Hints } from '../hints.ts';
import type { Hint } from '../internal-messages.ts';
import type { Notices } from '../notices.ts';
import { OWN_COLLECTIONS } from '../own-collections.ts';
import type { Queues } from '../queues.ts';
import { bytesAtOnce, sendInOrder } from '../send.ts';
import type { TargetResource, TargetResources } from '../subscription.ts';
import type { SubscriptionState } from '../subscription-state.ts';
import { Deliveries } from './deliveries.ts';
import { gatherEvents, type Recipient } from './gather-events.ts';
import type { KnownStates } from './known-states.ts';
import { MemberChanges } from './member-changes.ts';
import type { MemberIndexes } from './member-indexes.ts';
import { admit, fallBack, letGo, restart } from './membership.ts';
import { reconcileMessages } from './reconcile-messages.ts';
import type { SendGate } from './send-gate.ts';
import { splitWhereLarge } from './split-where-large.ts';
import { type TurnChangesOptions, turnChanges } from './turn-changes.ts';

/** Changes in one turn: what is sent again after a crash. */
const TURN = 500;
/**
 * A turn ends earlier with the change that reaches one of these. The batches, of {@link QUEUES_AT_ONCE} queues side
 * by side, take a sixth of the time there is to send where each takes 10 ms; the bytes of the journal, decoded, are
 * in memory together.
 */
const MOST = { batches: 20_000, heap: MEMORY.turn };
/** The SDK's client opens 50 sockets. What they hold of the memory {@link SendGate} bounds. */
const QUEUES_AT_ONCE = 48;
/** Subscriptions that one turn admits: the others wait for the next, so that those who are synced do not. */
const ADMITTED = 25;
/** The settled mark need not follow closely: it is raised once in this many changes. */
const SETTLED_STEP = 64;

/** When the sends of a turn take so many ms, its group is split: half of the time that there is. */
const LONG = TIMING.dispatchSends / 2;

/** What turns need of the outside. */
export interface TurnOptions {
  readonly table: Table;
  readonly store: Store;
  readonly queues: Queues;
  readonly hints: Hints;
  readonly resources: TargetResources;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** When a group is too large for one dispatcher. */
export interface Load {
  /** Subscriptions at most. */
  readonly most: number;
  /** Whether the last turn's sends took long. */
  isLong: boolean;
}

export interface Turn extends TurnOptions {
  readonly indexes: MemberIndexes;
  readonly known: KnownStates;
  readonly cursor: Cursor;
  readonly target: TargetResource;
  /** The group's first place. */
  readonly group: number;
  readonly load: Load;
  readonly gate: SendGate;
  readonly hint: Hint;
  /** The last resourceVersion allotted, where it was read since the hint. */
  readonly head: number | undefined;
  readonly holder: string;
  readonly deadline: AbortSignal;
  readonly notices: Notices;
  /** How many messages led to what the turn sends to other functions. */
  readonly hops: number;
}

/** A turn under way. */
interface Begun extends Turn {
  readonly changes: MemberChanges;
  readonly deliveries: Deliveries;
}

/**
 * One turn under the lease. Answers the new cursor.
 *
 *   split        a group that is too large gives half of its subscriptions to a new one
 *   membership   who is given back to reconcile, which wants them; who is synced, and who is ready to be, some at a time
 *   journal      the changes behind the cursor (and behind who is ready), settled
 *   events       the members' index says who saw each change enter, change or leave
 *   send         to the queues concerned side by side, each in order, those who are synced first; one that fails
 *                falls back to catching up; the first group tells the others how far it will be
 *   cursor       moved last, with who was seen: a crash before it sends the same again
 *   notices      reconcile is told whose membership changed, and of changes of subscriptions and namespaces
 */
export async function takeTurn(given: Turn): ReturnType<typeof moveCursor> {
  const { store, target, known } = given;
  const cursor = Math.max(given.cursor.position, 1);
  const head = Math.max(cursor, given.head ?? (await store.head(target.collection)));
  const { until, members: before } = given.cursor;
  const first = await known.read({ ...given, until, version: before });
  const { version, states: all } = await splitWhereLarge(given, { version: before, states: first });
  const changes = new MemberChanges({ ...given, version, states: all });
  const turn = { ...given, changes, deliveries: new Deliveries(given) };
  const states = await letGoWhereWanted(turn, all, cursor);
  const [reachable, far] = split(states, (state) => sentTo(state, cursor) >= cursor - TURN);
  await mapBounded(far, QUEUES_AT_ONCE, (state) => fallBack(turn, state, { position: state.position }));
  const [synced, ready] = split(reachable, ({ membership }) => membership === 'synced');
  const near = [...synced, ...ready.slice(0, ADMITTED)];
  const seen = () => (ready.length > ADMITTED ? given.cursor.seen : turn.changes.seen);

  // One group tells reconcile, so that it is told once.
  const internal = OWN_COLLECTIONS.has(target.collection) && given.group === 0;
  // Nobody is there to be told.
  if (near.length === 0 && !internal) {
    await tellOthers(turn, head);
    return endTurn(turn, { position: Math.max(cursor, head), seen: seen() });
  }
  const upTo = Math.min(head, cursor + TURN);
  const from = near.reduce((least, state) => Math.min(least, sentTo(state, cursor)), cursor);
  // What no hint has reached is its own writer's to hint at.
  const waits = near.length === synced.length && cursor < turn.hint.rv;
  const read = await changesOf({ ...turn, cursor, from, upTo, waits }, near);
  if (read === undefined) {
    await tellOthers(turn, upTo);
    return endTurn(turn, { position: Math.max(cursor, upTo), seen: seen() });
  }
  const members = near.map((state): Member => ({ state, floor: sentTo(state, cursor), events: [] }));
  const reached = gather(turn, members, { ...read, cursor });
  if (internal) {
    const told = read.changes.filter(({ rv }) => rv > cursor && rv <= reached);
    for (const { rv, message } of reconcileMessages(told)) {
      turn.notices.add(message, String(rv));
    }
  }
  await send(turn, members, { from, upTo: reached });
  if (crosses(cursor, reached, SETTLED_STEP)) await store.raise(target.collection, 'settled', reached);
  return endTurn(turn, { position: Math.max(cursor, reached), seen: seen() });
}

/** To the queues that are concerned; the other groups are told side by side with that. */
async function send(
  turn: Begun,
  members: readonly Member[],
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Promise<void> {
  const { clock, logger, deliveries, load, group } = turn;
  const { collection } = turn.target;
  const concerned = members.filter(({ state, events }) => events.length > 0 || state.membership === 'ready');
  const began = clock.now();
  const ended = await Promise.allSettled([
    tellOthers(turn, upTo),
    mapBounded(concerned, QUEUES_AT_ONCE, (member) => advance(turn, member, upTo)),
  ]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  const took = clock.now() - began;
  load.isLong = took > LONG;
  const counts = { members: members.length, concerned: concerned.length };
  logger.debug('sent a turn', { collection, group, from, upTo, ...counts, took });
  deliveries.log(collection, upTo);
}

/** Before the cursor moves there: whoever hints at the first group later need not tell the others. */
function tellOthers({ table, hints, hops, cursor, group, target }: Begun, upTo: number): Promise<void> {
  return tellGroups({ table, hints, hops, cursor, group, collection: target.collection }, upTo);
}

/** A synced subscription was sent everything up to the cursor; one that was just admitted may be ahead of it. */
function sentTo(state: SubscriptionState, cursor: number): number {
  return state.membership === 'synced' ? Math.max(state.position, cursor) : state.position;
}

/** Undefined where there is nothing to send: dispatch stood still for longer than the journal is kept. */
async function changesOf(
  turn: Omit<Begun, 'cursor'> & TurnChangesOptions,
  members: readonly SubscriptionState[],
): Promise<ChangeStretch | undefined> {
  try {
    return await turnChanges(turn);
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
    turn.logger.error('the cursor fell behind the compacted journal', { collection: turn.target.collection });
    await mapBounded(members, QUEUES_AT_ONCE, (state) => restart(turn, state, error.message));
    return undefined;
  }
}

interface Member extends Recipient {
  readonly state: SubscriptionState;
}

interface Stretch extends ChangeStretch {
  readonly cursor: number;
}

/** Nothing may come between the refresh and the look: another turn of this process has other members. */
function gather({ indexes, target, group }: Turn, members: readonly Member[], stretch: Stretch): number {
  const states = members.map(({ state }) => state);
  return gatherEvents({
    ...stretch,
    index: indexes.refreshed({ target, group }, states),
    recipients: new Map(members.map((member) => [member.state.uid, member])),
    most: MOST,
  });
}

async function advance(turn: Begun, { state, events }: Member, upTo: number): Promise<void> {
  const messages = events.map((event) => eventMessage(state, event));
  const sent = await turn.gate.within(bytesAtOnce(messages), () =>
    sendInOrder(turn.queues, state.queueUrl, messages, turn.deadline),
  );
  turn.deliveries.note(events, sent);
  const { accepted, failure, message } = sent;
  const refused = events[accepted];
  if (refused !== undefined) {
    const { object, auditID } = refused;
    const isLost = failure === 'gone' && state.queueArn !== '';
    // What was in a queue of somebody's own went with it, and one of its name may come.
    if (isLost) return restart(turn, state, message ?? '');
    await fallBack(turn, state, { position: object.rv - 1, failure, message, auditID });
  } else if (state.membership === 'ready') {
    await admit(turn, state, Math.max(state.position, upTo));
  }
}

async function letGoWhereWanted(
  turn: Begun,
  states: readonly SubscriptionState[],
  cursor: number,
): Promise<SubscriptionState[]> {
  const [wanted, others] = split(states, ({ recall }) => recall !== '');
  await mapBounded(wanted, QUEUES_AT_ONCE, (state) => letGo(turn, state, sentTo(state, cursor)));
  return others;
}

/** The lease ends with the turn that did all that the hint asked for. */
async function endTurn(
  { table, target, group, holder, hint, changes }: Begun,
  to: Pick<Cursor, 'position' | 'seen'>,
): ReturnType<typeof moveCursor> {
  const isLast = to.position >= hint.rv && to.seen === changes.seen;
  const moved = await moveCursor(table, { collection: target.collection, group, holder, to, isLast });
  changes.settle();
  return moved;
}

function crosses(from: number, to: number, step: number): boolean {
  return Math.floor(to / step) > Math.floor(from / step);
}

function split<Item>(items: readonly Item[], holds: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}
