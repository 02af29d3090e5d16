import { isBelow, splitShard } from '../shards/index.ts';
import { type SubscriptionState, selectingHeap } from '../subscription/index.ts';
import type { Turn } from './round-options.ts';

/** The subscriptions that a turn may be of, and the cursor's `members` before they were read. */
interface Read {
  readonly states: readonly SubscriptionState[];
  readonly version: number;
  /** The first place that is not the group's any more, where a split of this turn has changed it. */
  readonly until?: number;
}

/**
 * A group with fewer than this share of the most there may be is not split because its turns take long: the time may
 * be that of few queues.
 */
const FEWEST = 1 / 20;

/**
 * Splits a group with more subscriptions than one dispatcher is to have, with selectors that take more memory, or one
 * that took long with them, and goes on with the half that it keeps. The other half is the new group's, whose
 * dispatcher is hinted. Where memory asks for it, the kept half is split again: no index is built of a group too large.
 */
export async function splitWhereLarge(turn: Turn, given: Read): Promise<Read> {
  const first = isLarge(turn, given) ? await split(turn, given) : given;
  let read = first ?? given;
  while (first !== undefined && heapOf(read) > turn.load.heap) {
    const next = await split(
      { ...turn, cursor: { ...turn.cursor, until: read.until ?? turn.cursor.until } },
      read,
    );
    if (next === undefined) break;
    read = next;
  }
  return read;
}

function isLarge({ load }: Turn, read: Read): boolean {
  const { length } = read.states;
  return length > load.most || (load.isLong && length > load.most * FEWEST) || heapOf(read) > load.heap;
}

function heapOf({ states }: Read): number {
  return states.reduce((sum, state) => sum + selectingHeap(state), 0);
}

/** Undefined: it is as it was. */
async function split(turn: Turn, read: Read): Promise<Read | undefined> {
  const { table, clock, logger, hints, target, group, holder, cursor, known } = turn;
  const { collection } = target;
  const middle = await splitShard({ table, clock, logger, collection, group, holder, cursor });
  if (middle === undefined) return undefined;
  await hints.offer({ collection, group: middle, rv: 0, hops: turn.hops }, 'split');
  // The split raised it, and perhaps not it alone: then they are read again.
  const version = read.version + 1;
  const kept = { version, until: middle, states: read.states.filter((state) => isBelow(state, middle)) };
  known.keep({ clock, target, group, version }, kept.states);
  return kept;
}
