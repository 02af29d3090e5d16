import { metadataOf, objectAt } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';
import { isHeld, type SubscriptionState, selectsOthers } from '../subscription/index.ts';

const REFUSED = 'the queue rejects messages';
const NOT_BEGUN = 'reconcile has not started';
const UNTOLD = 'the status is not written yet';
const UNPROVEN = 'waiting for the token of the queue';
const READY = 'waiting for dispatch';
/** An object of at most this age, in ms, is being reconciled already. */
const NEW = 60_000;

export interface Around {
  /** All namespaces. */
  readonly namespaces: readonly ObjectState[];
  /** The uids of subscriptions whose authors may now see other objects than are delivered. */
  readonly regranted: ReadonlySet<string>;
}

/** The human-readable reason why a subscription waits; undefined: it is synced, and its status shows that. */
export function whyWaiting(
  object: ObjectState,
  state: SubscriptionState | undefined,
  { namespaces, regranted }: Around,
): string | undefined {
  const metadata = metadataOf(object.body);
  if (state === undefined) return NOT_BEGUN;
  const isTold = isTellingOf(object, state);
  if (isSuspended(object, state)) {
    if (regranted.has(object.uid)) return 'the rights of the author have changed';
    return isTold ? undefined : UNTOLD;
  }
  if (isHeldBack(state)) return whyHeldBack(isTold, regranted.has(object.uid));
  if (state.generation !== Number(metadata.generation ?? 1)) return 'it was edited';
  if (state.recall !== '') return 'waiting until dispatch gives up ownership';
  if (state.membership === 'ready') return READY;
  if (state.membership === 'catching-up') {
    if (state.failures > 0) return REFUSED;
    if (state.queueUrl !== '') return 'it catches up';
    return state.tokenSent === state.generation ? UNPROVEN : 'the queue is not created yet';
  }
  if (selectsOthers(object, state, namespaces)) return 'it selects from other namespaces';
  if (regranted.has(object.uid)) return 'its author may see other objects';
  return isTold ? undefined : UNTOLD;
}

/** Whether it only waits to be resumed. */
function isSuspended(object: ObjectState, state: SubscriptionState | undefined): boolean {
  if (state === undefined || state.membership !== 'catching-up' || state.queueUrl === '') return false;
  return state.suspended === Number(metadataOf(object.body).generation ?? 1);
}

/** Whether it waits for its author to be seen. */
function isHeldBack({ membership, standing }: SubscriptionState): boolean {
  return membership === 'catching-up' && isHeld(standing);
}

function whyHeldBack(isTold: boolean, isSeen: boolean): string | undefined {
  if (isSeen) return 'its author was seen again';
  return isTold ? undefined : UNTOLD;
}

function isTellingOf(object: ObjectState, state: SubscriptionState): boolean {
  const { phase, observedGeneration, queueUrl } = objectAt(object.body.status);
  const told =
    state.suspended > 0
      ? ['Suspended', state.suspended]
      : [isHeldBack(state) ? 'Suspended' : 'Synced', state.generation];
  return phase === told[0] && observedGeneration === told[1] && queueUrl === state.queueUrl;
}

export interface Looked {
  readonly object: ObjectState;
  readonly state: SubscriptionState | undefined;
  /** Whether dispatch was sent a hint to activate subscriptions, before the state was read. */
  readonly isAdmitting: boolean;
  readonly now: number;
}

/**
 * Whether the subscription needs no further reconcile request: what it waits for happens by itself, or reconcile cannot
 * help. Otherwise a backlog would feed itself: work that takes longer than a minute would be requested twice.
 */
export function isUnderWay(why: string, { object, state, isAdmitting, now }: Looked): boolean {
  if (why === READY) return isAdmitting;
  if (why === UNPROVEN) return true;
  if (why === REFUSED) return (state?.nextAttempt ?? 0) > now;
  const created = Date.parse(String(metadataOf(object.body).creationTimestamp));
  return why === NOT_BEGUN && now - created < NEW;
}
