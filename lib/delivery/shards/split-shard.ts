import type { Cursor, DispatchShard } from '../../coordination/index.ts';
import { type Clock, type Logger, TIMING } from '../../platform/index.ts';
import { bucketOf, cursorKey, type Table } from '../../store/index.ts';

export interface SplitOptions extends DispatchShard {
  readonly table: Table;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the group's lease. */
  readonly holder: string;
  /** As it is under the lease. */
  readonly cursor: Cursor;
}

/**
 * Gives the second half of a group's places to a new group, at the group's own position, so that nobody is told twice
 * or missed, and with what an earlier dispatcher may still admit. No state moves. The new group has a member to see, so
 * it is due whether it is hinted or not.
 *
 * Answers the first place of the new group; undefined where there is none, because the group has one place, or
 * because somebody changed its cursor in the same moment.
 *
 * @throws {Error} it is not known whether there is. The lease has to end then, and with it a split under way.
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
  if (outcome === 'unknown') throw new Error(`whether ${key.pk} was split is not known`);
  if (outcome !== 'committed') return undefined;
  logger.info('split a group of subscriptions', { collection, group, into: middle, until, position });
  return middle;
}

/** Whether a subscription is of the places below this one. */
export function isBelow({ uid }: { readonly uid: string }, place: number): boolean {
  return bucketOf(uid) < place;
}
