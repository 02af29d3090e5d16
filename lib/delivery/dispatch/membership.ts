import type { ReconcileRequests, SendFailure } from '../../coordination/index.ts';
import { LeaseHeldError } from '../../coordination/index.ts';
import type { Clock, Logger } from '../../platform/index.ts';
import type { Condition, Table } from '../../store/index.ts';
import { workOf } from '../counting/index.ts';
import {
  backoff,
  explained,
  restarted,
  type SubscriptionState,
  stateKey,
  updateState,
} from '../subscription/index.ts';
import type { Sent, SetDigest } from '../tallies/index.ts';
import type { StateChanges } from './member-changes.ts';

/** The options of dispatch's decisions about subscriptions. The decisions lead to requests to reconcile. */
export interface MembershipOptions {
  readonly table: Table;
  readonly notices: ReconcileRequests;
  readonly changes: StateChanges;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Turns a `ready` subscription into a `synced` one. */
export async function admit(
  options: MembershipOptions,
  state: SubscriptionState,
  position: number,
): Promise<void> {
  await options.changes.begin();
  const admission = { membership: 'synced', position } as const;
  const isAdmitted = await updateState(options.table, state, admission, asRead(state));
  if (isAdmitted) {
    options.changes.note(state.uid, { ...state, ...admission });
  } else {
    options.changes.doubt();
  }
  const { name, uid, collection, start, attempt } = state;
  const admitted = { kind: 'subscription', name, uid, collection, isAdmitted: true } as const;
  options.notices.add(admitted, `synced/${start}/${attempt}`);
}

export interface Fall {
  readonly position: number;
  /** The audit ID of the request whose change was the first that the queue did not accept. */
  readonly auditID?: string | undefined;
  readonly failure?: SendFailure | undefined;
  readonly message?: string | undefined;
  /** The digest at the position, if Winnow keeps a digest and the state holds an older digest. */
  readonly tally?: SetDigest | undefined;
}

/** Makes a subscription catch up from its position. The new state is stored before the cursor moves. */
export async function fallBack(
  options: MembershipOptions,
  state: SubscriptionState,
  fall: Fall,
): Promise<void> {
  const refused = fall.failure === 'refused';
  const failures = refused || fall.failure === 'slow' ? state.failures + 1 : state.failures;
  const change = {
    membership: 'catching-up',
    step: 'journal',
    position: fall.position,
    attempt: state.attempt + 1,
    failures,
    failure: explained(fall.message ?? '', state),
    nextAttempt: refused ? options.clock.now() + backoff(failures) : 0,
    ...(fall.tally === undefined ? {} : { tally: fall.tally }),
  };
  await takeOut(options, state, change);
  const { message: why, tally: _tally, ...told } = fall;
  options.logger.warn('a subscription fell back to catching up', { uid: state.uid, ...told, why });
  // Reconcile shows it in the status. It continues at once, unless the queue refuses messages.
  poke(options, state, `behind/${state.start}/${state.attempt + 1}`);
}

/**
 * Returns a subscription to reconcile, which has requested it: because its queue is gone, or to change its selection.
 */
export async function letGo(
  options: MembershipOptions,
  state: SubscriptionState,
  { position, tally }: Sent,
): Promise<void> {
  const { start, attempt, recall: failure } = state;
  await takeOut(options, state, {
    membership: 'catching-up',
    step: 'journal',
    position,
    attempt: attempt + 1,
    failure,
    recall: '',
    tally,
  });
  poke(options, state, `let-go/${start}/${attempt + 1}`);
}

/** Restarts a subscription with a new snapshot. */
export async function restart(
  options: MembershipOptions,
  state: SubscriptionState,
  why: string,
): Promise<void> {
  await takeOut(options, state, { ...restarted(state, 'gone'), failure: why });
  poke(options, state, `restart/${state.start + 1}`);
}

/**
 * Makes reconcile the owner of a subscription. The write fails if the state has changed since it was read. Then the
 * cursor may pass the subscription only if reconcile owns it already. Otherwise the next round would assume that the
 * subscription has received everything.
 *
 * @throws {LeaseHeldError} another dispatcher changed the state.
 */
async function takeOut(
  options: MembershipOptions,
  state: SubscriptionState,
  change: Parameters<typeof updateState>[2],
) {
  await options.changes.begin();
  options.changes.note(state.uid, undefined);
  if (await updateState(options.table, state, change, asRead(state))) return;
  const row = await options.table.get(stateKey(state));
  if (row !== undefined && row.membership !== 'catching-up') {
    throw new LeaseHeldError(`the state of subscription ${state.uid} was changed by another dispatcher`);
  }
}

/** The condition that the state is unchanged. It stops a dispatcher that has outlived its lease. */
function asRead({ membership, start, attempt }: SubscriptionState): Condition {
  return Object.entries({ membership, start, attempt }).map(([attribute, value]) => ({
    attribute,
    is: '=',
    value,
  }));
}

function poke({ notices }: MembershipOptions, state: SubscriptionState, occasion: string): void {
  notices.add(workOf(state), occasion);
}
