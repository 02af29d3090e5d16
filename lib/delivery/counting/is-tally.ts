import type { ReconcileMessage } from '../../coordination/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';

/** Whether the state is that of a Tally. Winnow counts its objects and sends no messages for it. */
export function isTally({ counts }: Pick<SubscriptionState, 'counts'>): boolean {
  return counts !== '';
}

/** The reconcile request for the owner of a state, a Subscription or a Tally. */
export function workOf(
  state: Pick<SubscriptionState, 'counts' | 'name' | 'uid' | 'collection'>,
): Extract<ReconcileMessage, { kind: 'subscription' | 'tally' }> {
  const { name, uid, collection } = state;
  return { kind: isTally(state) ? 'tally' : 'subscription', name, uid, collection };
}
