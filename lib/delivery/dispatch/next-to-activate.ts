import type { Cursor } from '../../coordination/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';

export interface Admissions {
  /** The most subscriptions that one round activates. */
  readonly admissions: number;
  readonly cursor: Pick<Cursor, 'admitting'>;
}

/**
 * Returns the first ready subscriptions, by uid, and all that a round may have chosen that was not stored. The requests
 * of that round may still be carried out later. A subscription that the cursor had passed would then be activated
 * behind it, and would miss the changes in between.
 */
export function nextToActivate(
  { admissions, cursor: { admitting } }: Admissions,
  ready: readonly SubscriptionState[],
): readonly SubscriptionState[] {
  return ready.filter(({ uid }, index) => index < admissions || uid <= admitting);
}
