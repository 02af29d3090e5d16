import {
  bytesAtOnce,
  type Cursor,
  enqueueChanges,
  moveCursor,
  type RoundChanges,
  sendInOrder,
} from '../../coordination/index.ts';
import { OWN_COLLECTIONS } from '../../kubernetes/lifecycle/index.ts';
import { MEMORY, mapBounded, TIMING } from '../../platform/index.ts';
import { type ChangeRange, GoneError } from '../../store/index.ts';
import { deltasOf } from '../counting/index.ts';
import { eventMessage } from '../event-message.ts';
import { hintShards } from '../shards/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';
import { readTallies, type Sent, storeDigest, withDigests } from '../tallies/index.ts';
import { advanceCount } from './advance-count.ts';
import { Deliveries } from './deliveries.ts';
import { gatherEvents, hasNews, type Recipient } from './gather-events.ts';
import { StateChanges } from './member-changes.ts';
import { admit, fallBack, letGo, restart } from './membership.ts';
import { nextToActivate } from './next-to-activate.ts';
import { reconcileMessages } from './reconcile-messages.ts';
import type { Round } from './round-options.ts';

import { SendTimeout } from './send-timeout.ts';
import { split } from './split.ts';
import { splitWhereLarge } from './split-where-large.ts';
import { recheckScopes } from './still-granted.ts';

import { type TurnChangesOptions, turnChanges } from './turn-changes.ts';

/** The most changes in one round. After a crash, up to this many are sent again. */
const TURN = 500;
/**
 * A round ends early with the change that reaches one of these limits. The batches go to {@link QUEUES_AT_ONCE} queues
 * at a time. At 10 ms each, they take a sixth of the time for sends. The heap limit bounds the decoded changes that are
 * in memory together.
 */
const MOST = { batches: 20_000, heap: MEMORY.turn };
/**
 * The most concurrent queues; the SDK's client opens 50 sockets. {@link SendGate} bounds the memory of their messages.
 */
const QUEUES_AT_ONCE = 48;
/** The settled mark may lag behind: it is raised once in this many changes. */
const SETTLED_STEP = 64;
/** If the sends of a round take longer than this, in ms, the shard is split. It is half of the time for sends. */
const LONG = TIMING.dispatchSends / 2;

/** A round in progress. */
interface Begun extends Round {
  readonly changes: StateChanges;
  readonly deliveries: Deliveries;
  readonly patience: SendTimeout;
}

/**
 * Runs one round under the lease. Returns the new cursor.
 *
 *   split        a shard that is too large gives half of its subscriptions to a new one
 *   state        which subscriptions return to reconcile, which are synced, and which are activated, some at a time
 *   journal      the changes after the cursor (and after the position of those to activate), settled
 *   events       the index says for which subscriptions each change enters, changes or leaves
 *   permissions  of the authors, read after the changes; a changed scope starts a new snapshot
 *   send         to the queues concurrently, each in order, synced subscriptions first. If a queue fails, or does not
 *                answer while other queues do, its subscription falls back to catching up. The first shard sends hints
 *                to the others
 *   work items   are enqueued for derived data, before the cursor moves
 *   cursor       moves last, with the count of seen states: after a crash before it, the next round repeats the sends
 *   requests     to reconcile, for changed states, and for changes of subscriptions and namespaces
 */
export async function runRound(given: Round): ReturnType<typeof moveCursor> {
  const { store, target, known } = given;
  const position = Math.max(given.cursor.position, 1);
  const head = Math.max(position, given.head ?? (await store.head(target.collection)));
  const { until, members: before } = given.cursor;
  const first = await known.read({ ...given, until, version: before });
  const { version, states: all } = await splitWhereLarge(given, { version: before, states: first });
  const [wanted, states] = split(all, ({ recall }) => recall !== '');
  const [reachable, far] = split(states, (state) => sentTo(state, position) >= position - TURN);
  const [synced, ready] = split(reachable, ({ membership }) => membership === 'synced');
  const admitted = nextToActivate(given, ready);
  const near = [...synced, ...admitted];
  const changes = new StateChanges({ ...given, version, states: all, last: admitted.at(-1) });
  const turn = { ...given, changes, deliveries: new Deliveries(given), patience: new SendTimeout(given) };
  await letGoOf(turn, wanted, position);
  await mapBounded(far, QUEUES_AT_ONCE, (state) => fallBack(turn, state, { position: state.position }));
  const seen = () => (ready.length > admitted.length ? given.cursor.seen : turn.changes.seen);

  // Only the first shard sends reconcile requests and enqueues work items, so that this happens once.
  const internal = OWN_COLLECTIONS.has(target.collection) && given.group === 0;
  const derives = given.deriving?.concerns.collections.has(target.collection) === true && given.group === 0;
  const cursor = internal || given.followsAll ? position : pastIdle(position, near);
  // No subscription needs the changes.
  if (near.length === 0 && !internal && !derives) {
    await tellOthers(turn, head);
    return endTurn(turn, { position: Math.max(cursor, head), seen: seen() });
  }
  const upTo = Math.min(head, cursor + TURN);
  const from = near.reduce((least, state) => Math.min(least, sentTo(state, cursor)), cursor);
  // The round waits for changes up to the hint only. Later changes get hints from their own writers.
  const waits = near.length === synced.length && cursor < turn.hint.rv;
  const read = await changesOf({ ...turn, cursor, from, upTo, waits }, near);
  if (read === undefined) {
    // All subscriptions begin anew, and all derived data is due. Only reconcile needs the changes that are left.
    const end = internal ? upTo : head;
    if (derives) await makeDue(turn, { upTo: end });
    await tellOthers(turn, end);
    return endTurn(turn, { position: Math.max(cursor, end), seen: seen() });
  }
  const members = near.map(
    (state): Member => ({ state, floor: sentTo(state, cursor), events: [], deltas: deltasOf(state) }),
  );
  const reached = gather(turn, members, { ...read, cursor });
  const told = read.changes.filter(({ rv }) => rv > cursor && rv <= reached);
  if (internal) {
    for (const { rv, message } of reconcileMessages(told)) {
      turn.notices.add(message, String(rv));
    }
  }
  await send(turn, members, { from, upTo: reached });
  if (derives) await makeDue(turn, { upTo: reached, changes: told });
  if (crosses(cursor, reached, SETTLED_STEP)) await store.raise(target.collection, 'settled', reached);
  return endTurn(turn, { position: Math.max(cursor, reached), seen: seen() });
}

/** Sends to the queues concerned. Hints to the other shards go out at the same time. */
async function send(
  turn: Begun,
  members: readonly Member[],
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Promise<void> {
  const { clock, logger, deliveries, load, group } = turn;
  const { collection } = turn.target;
  const told = members.filter((one) => hasNews(one) || one.state.membership === 'ready');
  const { granted: concerned, held } = await recheckScopes(turn, told);
  await letGoOf(turn, held, turn.cursor.position);
  const tallies = await readTallies(turn.table, statesOf(concerned));
  const began = clock.now();
  const ended = await Promise.allSettled([
    tellOthers(turn, upTo),
    mapBounded(concerned, QUEUES_AT_ONCE, (member) =>
      advance(turn, member, { upTo, before: tallies.get(member.state.uid) }),
    ),
  ]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  const took = clock.now() - began;
  load.isLong = took > LONG;
  const counts = { members: members.length, concerned: concerned.length };
  logger.debug('sent a turn', { collection, group, from, upTo, ...counts, took });
  deliveries.log(collection, upTo);
}

/** Enqueues work items before the cursor moves. If a round crashes in between, the next one enqueues the same again. */
async function makeDue({ deriving, target, ...turn }: Begun, stretch: RoundChanges): Promise<void> {
  if (deriving) await enqueueChanges({ ...turn, ...deriving, collection: target.collection }, stretch);
}

/**
 * Sends hints to the other shards before the cursor moves. Later hints at the first shard need not reach the others.
 */
function tellOthers({ table, hints, hops, cursor, group, target }: Begun, upTo: number): Promise<void> {
  return hintShards({ table, hints, hops, cursor, group, collection: target.collection }, upTo);
}

/**
 * The cursor of a shard. If it stood still, because nothing selected the collection, it moves to the subscriptions that
 * are activated. The position of one that was synced earlier is not above the cursor.
 */
function pastIdle(cursor: number, near: readonly SubscriptionState[]): number {
  const least = near.reduce((min, { position }) => Math.min(min, position), Number.POSITIVE_INFINITY);
  return Number.isFinite(least) ? Math.max(cursor, least) : cursor;
}

/** A synced subscription has received everything up to the cursor. One that was just activated may be ahead of it. */
function sentTo(state: SubscriptionState, cursor: number): number {
  return state.membership === 'synced' ? Math.max(state.position, cursor) : state.position;
}

/** Returns undefined if the journal is compacted: dispatch stood still for longer than the journal's retention. */
async function changesOf(
  turn: Omit<Begun, 'cursor'> & TurnChangesOptions,
  members: readonly SubscriptionState[],
): Promise<ChangeRange | undefined> {
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

interface Stretch extends ChangeRange {
  readonly cursor: number;
}

/**
 * No `await` may come between the refresh and the use of the index: another round of this process would refresh it with
 * other subscriptions.
 */
function gather({ indexes, target, group }: Round, members: readonly Member[], stretch: Stretch): number {
  const states = statesOf(members);
  return gatherEvents({
    ...stretch,
    index: indexes.refreshed({ target, group }, states),
    recipients: new Map(members.map((member) => [member.state.uid, member])),
    most: MOST,
  });
}

interface Advance {
  readonly upTo: number;
  /** The stored digest of the sent messages, if it is newer than the digest in the state. */
  readonly before: Sent | undefined;
}

async function advance(
  turn: Begun,
  { state, events: all, deltas }: Member,
  { upTo, before }: Advance,
): Promise<void> {
  if (deltas !== undefined) return advanceCount(turn, { state, deltas, upTo });
  // A round that crashed before its cursor moved has sent the events that this digest contains.
  const events = before === undefined ? all : all.filter(({ object }) => object.rv > before.position);
  const telling = events.map((event) => ({ event, message: eventMessage(state, event) }));
  const { messages, after } = withDigests(before?.tally ?? state.tally, telling);
  const sent = await turn.gate.within(bytesAtOnce(messages), () =>
    sendInOrder(turn.patience, state.queueUrl, messages, turn.deadline),
  );
  turn.deliveries.note(events, sent);
  const { accepted, failure, message } = sent;
  const refused = events[accepted];
  if (refused !== undefined) {
    const { object, auditID } = refused;
    const isLost = failure === 'gone' && state.queueArn !== '';
    // The messages in a user-owned queue were deleted with it, and its owner may create another queue of the same name.
    if (isLost) return restart(turn, state, message ?? '');
    return fallBack(turn, state, { position: object.rv - 1, failure, message, auditID, ...after(accepted) });
  }
  if (events.length > 0) await storeDigest(turn.table, state, { position: upTo, ...after() });
  if (state.membership === 'ready') {
    await admit(turn, state, Math.max(state.position, upTo));
  }
}

async function letGoOf(turn: Begun, wanted: readonly SubscriptionState[], cursor: number): Promise<void> {
  const tallies = await readTallies(turn.table, wanted);
  await mapBounded(wanted, QUEUES_AT_ONCE, (state) => {
    const { position, tally } = tallies.get(state.uid) ?? { position: 0, tally: state.tally };
    return letGo(turn, state, { position: Math.max(position, sentTo(state, cursor)), tally });
  });
}

/** Ends the round. The lease ends with the round that has done everything that the hint requires. */
async function endTurn(
  { table, target, group, holder, hint, changes }: Begun,
  { position, seen }: Pick<Cursor, 'position' | 'seen'>,
): ReturnType<typeof moveCursor> {
  const isLast = position >= hint.rv && seen === changes.seen;
  const to = { position, seen, selecting: changes.selecting, admitted: changes.admitting };
  const moved = await moveCursor(table, { collection: target.collection, group, holder, to, isLast });
  changes.settle();
  return moved;
}

const statesOf = (members: readonly Member[]) => members.map(({ state }) => state);

const crosses = (from: number, to: number, step: number) => Math.floor(to / step) > Math.floor(from / step);
