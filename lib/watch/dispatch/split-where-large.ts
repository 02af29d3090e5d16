import { isBelow, splitGroup } from '../groups/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';
import type { Turn } from './take-turn.ts';

/** The subscriptions that a turn may be of, and the cursor's `members` before they were read. */
interface Read {
  readonly states: readonly SubscriptionState[];
  readonly version: number;
}

/**
 * A group with fewer than this share of the most there may be is not split because its turns take long: the time may
 * be that of few queues.
 */
const FEWEST = 1 / 20;

/**
 * Splits a group with more subscriptions than one dispatcher is to have, or one that took long with them, and goes on
 * with the half that it keeps. The other half is the new group's, whose dispatcher is hinted.
 */
export async function splitWhereLarge(turn: Turn, read: Read): Promise<Read> {
  const { table, clock, logger, hints, target, group, holder, cursor, known, load } = turn;
  const { length } = read.states;
  if (length <= load.most && !(load.isLong && length > load.most * FEWEST)) return read;
  const { collection } = target;
  const middle = await splitGroup({ table, clock, logger, collection, group, holder, cursor });
  if (middle === undefined) return read;
  await hints.offer({ collection, group: middle, rv: 0, hops: turn.hops }, 'split');
  // The split raised it, and perhaps not it alone: then they are read again.
  const kept = { version: read.version + 1, states: read.states.filter((state) => isBelow(state, middle)) };
  known.keep({ clock, target, group, version: kept.version }, kept.states);
  return kept;
}
