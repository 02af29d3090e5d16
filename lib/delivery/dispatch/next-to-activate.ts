import type { Cursor } from '../../coordination/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';

export interface Admissions {
  /** Subscriptions that one turn admits. */
  readonly admissions: number;
  readonly cursor: Pick<Cursor, 'admitting'>;
}

/**
 * The first ones, by uid; and all that a turn may have chosen which was not stored. What that asked for may be carried
 * out later still: whom the cursor had passed unsent would be admitted behind it, and never sent what is between.
 */
export function nextToActivate(
  { admissions, cursor: { admitting } }: Admissions,
  ready: readonly SubscriptionState[],
): readonly SubscriptionState[] {
  return ready.filter(({ uid }, index) => index < admissions || uid <= admitting);
}
