import { isBelow, splitShard } from '../shards/index.ts';
import { type SubscriptionState, selectingHeap } from '../subscription/index.ts';
import type { Round } from './round-options.ts';

/** The subscriptions of a shard, and the cursor's `members` before they were read. */
interface Read {
  readonly states: readonly SubscriptionState[];
  readonly version: number;
  /** The first bucket after the shard, if a split in this round has changed it. */
  readonly until?: number;
}

/**
 * A shard with fewer subscriptions than this share of the maximum is not split for slow sends. A few slow queues may be
 * the cause.
 */
const FEWEST = 1 / 20;

/**
 * Splits a shard that has too many subscriptions, selectors that need too much memory, or slow sends. Returns the half
 * that stays in this shard. The other half goes to a new shard, and the function sends the new shard a hint. The kept
 * half is split again while its selectors need too much memory. So no index is built for a shard that is too large.
 */
export async function splitWhereLarge(round: Round, given: Read): Promise<Read> {
  const first = isLarge(round, given) ? await split(round, given) : given;
  let read = first ?? given;
  while (first !== undefined && heapOf(read) > round.load.heap) {
    const next = await split(
      { ...round, cursor: { ...round.cursor, until: read.until ?? round.cursor.until } },
      read,
    );
    if (next === undefined) break;
    read = next;
  }
  return read;
}

function isLarge({ load }: Round, read: Read): boolean {
  const { length } = read.states;
  return length > load.most || (load.isLong && length > load.most * FEWEST) || heapOf(read) > load.heap;
}

function heapOf({ states }: Read): number {
  return states.reduce((sum, state) => sum + selectingHeap(state), 0);
}

/** Returns undefined if the shard was not split. */
async function split(round: Round, read: Read): Promise<Read | undefined> {
  const { table, clock, logger, hints, target, group, holder, cursor, known } = round;
  const { collection } = target;
  const middle = await splitShard({ table, clock, logger, collection, group, holder, cursor });
  if (middle === undefined) return undefined;
  await hints.offer({ collection, group: middle, rv: 0, hops: round.hops }, 'split');
  // The split raised `members` by one. If it rose further, the next round reads the states again.
  const version = read.version + 1;
  const kept = { version, until: middle, states: read.states.filter((state) => isBelow(state, middle)) };
  known.keep({ clock, target, group, version }, kept.states);
  return kept;
}
