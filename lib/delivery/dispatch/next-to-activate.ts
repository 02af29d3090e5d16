import type { Cursor } from '../../coordination/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';

export interface Admissions {
  /** Subscriptions that one turn admits. */
  readonly admissions: number;
  readonly cursor: Pick<Cursor, 'admitting'>;
}

/**
 * The first ones, by uid; and all that a turn may have chosen which was not stored. Its requests may still be carried
 * out later. A subscription that the cursor had passed would then be activated behind it, and would miss the changes
 * in between.
 */
export function nextToActivate(
  { admissions, cursor: { admitting } }: Admissions,
  ready: readonly SubscriptionState[],
): readonly SubscriptionState[] {
  return ready.filter(({ uid }, index) => index < admissions || uid <= admitting);
}
