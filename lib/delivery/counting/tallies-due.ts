import type { ReconcileMessage } from '../../coordination/index.ts';
import { isTerminating } from '../../coordination/index.ts';
import { type Collection, metadataOf } from '../../json/index.ts';
import type { TargetResources } from '../../kubernetes/winnow/index.ts';
import type { ObjectState } from '../../store/index.ts';
import { type SubscriptionState, selectedFrom, selectsOthers } from '../subscription/index.ts';
import { isTally, workOf } from './is-tally.ts';
import { tellsCounts } from './tally-status.ts';

interface TalliesDueOptions {
  readonly tallies: readonly ObjectState[];
  /** The states of subscriptions and Tallies, by uid. */
  readonly states: ReadonlyMap<string, SubscriptionState>;
  readonly resources: TargetResources;
  /** All namespaces. */
  readonly namespaces: readonly ObjectState[];
  /** The uids of Tallies whose authors may now see other objects than the Tallies count. */
  readonly regranted: ReadonlySet<string>;
  /** Whether to count a Tally again if it had too many groups. */
  readonly all: boolean;
}

/**
 * Returns the requests to reconcile Tallies that wait for something, have an outdated status, or are terminating. It
 * also returns requests for states whose object was deleted without reconcile.
 */
export function talliesDue({
  tallies,
  states,
  resources,
  namespaces,
  regranted,
  all,
}: TalliesDueOptions): ReconcileMessage[] {
  const due = tallies.flatMap((object): ReconcileMessage[] => {
    const collection: Collection = selectedFrom(object);
    const isServed = resources.of(collection) !== undefined;
    const isWanted =
      all || regranted.has(object.uid) || isWaiting(object, states.get(object.uid), namespaces);
    const isDue = isServed && isWanted;
    if (!isDue && !isTerminating(object)) return [];
    const { name, uid } = object;
    return [{ kind: 'tally', name, uid, collection, ...(all && { isAnew: true }) }];
  });
  const known = new Set(tallies.map(({ uid }) => uid));
  const left = [...states.values()].filter((state) => isTally(state) && !known.has(state.uid));
  return [...due, ...left.map(workOf)];
}

function isWaiting(
  object: ObjectState,
  state: SubscriptionState | undefined,
  namespaces: readonly ObjectState[],
): boolean {
  if (state === undefined) return true;
  const isStopped = state.membership === 'catching-up' && state.suspended > 0;
  if (state.membership !== 'synced' && !isStopped) return true;
  const isEdited = state.generation !== Number(metadataOf(object.body).generation ?? 1);
  return isEdited || selectsOthers(object, state, namespaces) || !tellsCounts(object, state);
}
