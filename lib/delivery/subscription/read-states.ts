import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import { BUCKETS, bucketRange, subscriptionsPartition, type Table } from '../../store/index.ts';
import { parseState, type SubscriptionState } from './subscription-state.ts';

/** The first bucket, and the first bucket after the range; default: all buckets. */
export interface Places {
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** The states of all subscriptions to a collection, or of those in a range of buckets. */
export function readStates(
  table: Table,
  target: TargetResource,
  places: Places = {},
): Promise<SubscriptionState[]> {
  return readStatesAs(table, target, { ...places, pick: (state) => state });
}

export interface PickOptions<Picked> extends Places {
  /**
   * Returns what to keep of a state; undefined: nothing. It is called page by page, so that dropped data is never in
   * memory together.
   */
  pick(state: SubscriptionState): Picked | undefined;
}

/** The results of `pick` for each state, in the order of the uids. */
export async function readStatesAs<Picked>(
  table: Table,
  target: TargetResource,
  { from: first = 0, until = BUCKETS, pick }: PickOptions<Picked>,
): Promise<Picked[]> {
  const states: Picked[] = [];
  const range = bucketRange(first, until);
  for (let { from } = range; ; ) {
    const page = await table.query({
      partition: subscriptionsPartition(target.collection),
      from,
      to: range.to,
    });
    // The end of the range is the start of the next bucket.
    const rows = page.rows.filter(({ sk }) => sk !== range.to);
    states.push(...rows.map((row) => pick(parseState(row, target))).filter((one) => one !== undefined));
    const last = page.rows.at(-1);
    if (!page.more || last === undefined) return states;
    from = `${last.sk}!`;
  }
}
