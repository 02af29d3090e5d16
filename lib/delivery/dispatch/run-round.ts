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
import type { Turn } from './round-options.ts';

import { SendTimeout } from './send-timeout.ts';
import { split } from './split.ts';
import { splitWhereLarge } from './split-where-large.ts';
import { recheckScopes } from './still-granted.ts';

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
/** The settled mark need not follow closely: it is raised once in this many changes. */
const SETTLED_STEP = 64;
/** When the sends of a turn take so many ms, its group is split: half of the time that there is. */
const LONG = TIMING.dispatchSends / 2;

/** A turn under way. */
interface Begun extends Turn {
  readonly changes: StateChanges;
  readonly deliveries: Deliveries;
  readonly patience: SendTimeout;
}

/**
 * One turn under the lease. Answers the new cursor.
 *
 *   split        a shard that is too large gives half of its subscriptions to a new one
 *   state        which subscriptions return to reconcile, which are synced, and which are activated, some at a time
 *   journal      the changes after the cursor (and after the position of those to activate), settled
 *   events       the index says for which subscriptions each change enters, changes or leaves
 *   rights       the rights of authors, read after their changes; a changed scope starts a new snapshot
 *   send         to the queues concurrently, each in order, synced subscriptions first. A queue that fails, or does not
 *                answer while others do, falls back to catching up. The first shard hints at the others
 *   work items   are enqueued for derived data, before the cursor moves
 *   cursor       moves last, with the count of seen states: a crash before it sends the same again
 *   requests     to reconcile, for changed states, and for changes of subscriptions and namespaces
 */
export async function runRound(given: Turn): ReturnType<typeof moveCursor> {
  const { store, target, known } = given;
  const cursor = Math.max(given.cursor.position, 1);
  const head = Math.max(cursor, given.head ?? (await store.head(target.collection)));
  const { until, members: before } = given.cursor;
  const first = await known.read({ ...given, until, version: before });
  const { version, states: all } = await splitWhereLarge(given, { version: before, states: first });
  const [wanted, states] = split(all, ({ recall }) => recall !== '');
  const [reachable, far] = split(states, (state) => sentTo(state, cursor) >= cursor - TURN);
  const [synced, ready] = split(reachable, ({ membership }) => membership === 'synced');
  const admitted = nextToActivate(given, ready);
  const near = [...synced, ...admitted];
  const changes = new StateChanges({ ...given, version, states: all, last: admitted.at(-1) });
  const turn = { ...given, changes, deliveries: new Deliveries(given), patience: new SendTimeout(given) };
  await letGoOf(turn, wanted, cursor);
  await mapBounded(far, QUEUES_AT_ONCE, (state) => fallBack(turn, state, { position: state.position }));
  const seen = () => (ready.length > admitted.length ? given.cursor.seen : turn.changes.seen);

  // One group tells reconcile and makes due what is derived, so that it is once.
  const internal = OWN_COLLECTIONS.has(target.collection) && given.group === 0;
  const derives = given.deriving?.concerns.collections.has(target.collection) === true && given.group === 0;
  // Nobody is there to be told.
  if (near.length === 0 && !internal && !derives) {
    await tellOthers(turn, head);
    return endTurn(turn, { position: Math.max(cursor, head), seen: seen() });
  }
  const upTo = Math.min(head, cursor + TURN);
  const from = near.reduce((least, state) => Math.min(least, sentTo(state, cursor)), cursor);
  // What no hint has reached is its own writer's to hint at.
  const waits = near.length === synced.length && cursor < turn.hint.rv;
  const read = await changesOf({ ...turn, cursor, from, upTo, waits }, near);
  if (read === undefined) {
    if (derives) await makeDue(turn, { upTo });
    await tellOthers(turn, upTo);
    return endTurn(turn, { position: Math.max(cursor, upTo), seen: seen() });
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

/** To the queues that are concerned; the other groups are told side by side with that. */
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

/** Before the cursor moves: where a turn dies in between, the next one makes due the same. */
async function makeDue({ deriving, target, ...turn }: Begun, stretch: RoundChanges): Promise<void> {
  if (deriving) await enqueueChanges({ ...turn, ...deriving, collection: target.collection }, stretch);
}

/** Before the cursor moves there: later hints at the first shard need not reach the others. */
function tellOthers({ table, hints, hops, cursor, group, target }: Begun, upTo: number): Promise<void> {
  return hintShards({ table, hints, hops, cursor, group, collection: target.collection }, upTo);
}

/** A synced subscription was sent everything up to the cursor; one that was just admitted may be ahead of it. */
function sentTo(state: SubscriptionState, cursor: number): number {
  return state.membership === 'synced' ? Math.max(state.position, cursor) : state.position;
}

/** Undefined where there is nothing to send: dispatch stood still for longer than the journal is kept. */
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

/** Nothing may come between the refresh and the look: another turn of this process has other members. */
function gather({ indexes, target, group }: Turn, members: readonly Member[], stretch: Stretch): number {
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
  /** What is counted of what it was sent, where that is more than its state says. */
  readonly before: Sent | undefined;
}

async function advance(
  turn: Begun,
  { state, events: all, deltas }: Member,
  { upTo, before }: Advance,
): Promise<void> {
  if (deltas !== undefined) return advanceCount(turn, { state, deltas, upTo });
  // A turn that died before its cursor moved sent what is counted.
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
    // What was in a queue of somebody's own went with it, and one of its name may come.
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

/** The lease ends with the turn that did all that the hint asked for. */
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
