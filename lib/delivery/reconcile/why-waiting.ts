import { metadataOf, objectAt } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';
import { isHeld, type SubscriptionState, selectsOthers } from '../subscription/index.ts';

const REFUSED = 'the queue rejects messages';
const NOT_BEGUN = 'reconcile has not started';
const UNTOLD = 'the status is not written yet';
const UNPROVEN = 'waiting for the token of the queue';
const READY = 'waiting for dispatch';
/** What was created so many ms ago or less is on its way. */
const NEW = 60_000;

export interface Around {
  /** All that there are. */
  readonly namespaces: readonly ObjectState[];
  /** The uids of those whose authors may see other objects than they tell of. */
  readonly regranted: ReadonlySet<string>;
}

/** What a subscription waits for, for people; undefined: it is synced, and its status says so. */
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
  if (state.recall !== '') return 'dispatch is to let go of it';
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

/** It waits for nothing but for being resumed. */
function isSuspended(object: ObjectState, state: SubscriptionState | undefined): boolean {
  if (state === undefined || state.membership !== 'catching-up' || state.queueUrl === '') return false;
  return state.suspended === Number(metadataOf(object.body).generation ?? 1);
}

/** It waits for its author to be seen. */
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
  /** Whether dispatch was hinted to look who is ready, before the state was read. */
  readonly isAdmitting: boolean;
  readonly now: number;
}

/**
 * Whether what it waits for comes, or is of no use, without reconcile being asked again. Else a backlog would feed
 * itself: what takes longer than a minute would be asked for twice.
 */
export function isUnderWay(why: string, { object, state, isAdmitting, now }: Looked): boolean {
  if (why === READY) return isAdmitting;
  if (why === UNPROVEN) return true;
  if (why === REFUSED) return (state?.nextAttempt ?? 0) > now;
  const created = Date.parse(String(metadataOf(object.body).creationTimestamp));
  return why === NOT_BEGUN && now - created < NEW;
}
