import type { Collection } from '../json/index.ts';
import { OWN_COLLECTIONS } from '../kubernetes/lifecycle/index.ts';
import type { Cursor } from './cursor.ts';

/** Which collections dispatch has work for. */
export interface Following {
  /** Whether it has work for all collections, because the deployment derives data from objects; default: no. */
  readonly followsAll?: boolean | undefined;
}

/** Whether dispatch has work for a collection that no Subscription and no Tally selects. */
export function isFollowedAlways(collection: Collection, { followsAll = false }: Following): boolean {
  return followsAll || OWN_COLLECTIONS.has(collection);
}

/** Whether a Subscription or a Tally selects or has selected a collection whose writers need the mark to send hints. */
export function isFollowedByMark(
  collection: Collection,
  { members }: Pick<Cursor, 'members'>,
  following: Following,
): boolean {
  return members > 0 && !isFollowedAlways(collection, following);
}

/**
 * Whether dispatch may have work for a collection: there is or was a Subscription or a Tally that selects it, or
 * reconcile or derive needs its changes. Other collections get no hints, and their cursor stays where it is.
 */
export function isFollowed(
  collection: Collection,
  { members }: Pick<Cursor, 'members'>,
  following: Following,
): boolean {
  return members > 0 || isFollowedAlways(collection, following);
}
