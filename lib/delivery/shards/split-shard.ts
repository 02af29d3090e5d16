import type { Cursor, DispatchShard } from '../../coordination/index.ts';
import { type Clock, type Logger, TIMING } from '../../platform/index.ts';
import { bucketOf, cursorKey, type Table } from '../../store/index.ts';

export interface SplitOptions extends DispatchShard {
  readonly table: Table;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The holder of the shard's lease. */
  readonly holder: string;
  /** The shard's cursor under the lease. */
  readonly cursor: Cursor;
}

/**
 * Moves the second half of a shard's buckets to a new shard, at the same position, so that no change is sent twice or
 * missed. The new shard also gets `admitting`, for activations by an earlier dispatcher. No state moves. The new cursor
 * counts a state change that no round has seen, so a round is due even without a hint.
 *
 * Returns the first bucket of the new shard. Returns undefined if there is none, because the shard has one bucket, or
 * because another process changed its cursor at the same time.
 *
 * @throws {Error} the outcome is unknown. The lease must end then, and with it a split in progress.
 */
export async function splitShard(options: SplitOptions): Promise<number | undefined> {
  const { table, clock, logger, collection, group = 0, holder, cursor } = options;
  const { position, until, admitting } = cursor;
  const key = cursorKey(collection, group);
  const middle = Math.floor((group + until) / 2);
  if (middle === group) return undefined;
  const { outcome } = await table.transact(
    [
      {
        update: key,
        set: { until: middle },
        add: { members: 1 },
        condition: [{ attribute: 'leaseHolder', is: '=', value: holder }],
      },
      {
        update: cursorKey(collection, middle),
        set: { position, until, members: 1, seen: 0, admitting },
        condition: [{ missing: 'pk' }],
      },
    ],
    clock.deadline(TIMING.transaction),
  );
  if (outcome === 'unknown') throw new Error(`it is unknown whether the shard ${key.pk} was split`);
  if (outcome !== 'committed') return undefined;
  logger.info('split a group of subscriptions', { collection, group, into: middle, until, position });
  return middle;
}

/** Whether a subscription's bucket is below this one. */
export function isBelow({ uid }: { readonly uid: string }, place: number): boolean {
  return bucketOf(uid) < place;
}
