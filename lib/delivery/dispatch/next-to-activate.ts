import type { Cursor } from '../../coordination/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';

export interface Admissions {
  /** The most subscriptions that one round activates. */
  readonly admissions: number;
  readonly cursor: Pick<Cursor, 'admitting'>;
}

/**
 * Returns the first ready subscriptions, by uid, and all subscriptions that a round may have chosen without storing
 * that choice. DynamoDB may still carry out the requests of that round. If the cursor moved on without such a
 * subscription, a late request could activate it behind the cursor, and it would miss the changes in between.
 */
export function nextToActivate(
  { admissions, cursor: { admitting } }: Admissions,
  ready: readonly SubscriptionState[],
): readonly SubscriptionState[] {
  return ready.filter(({ uid }, index) => index < admissions || uid <= admitting);
}
