import type { ReconcileMessage } from '../../coordination/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';

/** Whether the state is that of a Tally: it is sent nothing, and counted. */
export function isTally({ counts }: Pick<SubscriptionState, 'counts'>): boolean {
  return counts !== '';
}

/** What reconcile is told, to look after whosever state it is. */
export function workOf(
  state: Pick<SubscriptionState, 'counts' | 'name' | 'uid' | 'collection'>,
): Extract<ReconcileMessage, { kind: 'subscription' | 'tally' }> {
  const { name, uid, collection } = state;
  return { kind: isTally(state) ? 'tally' : 'subscription', name, uid, collection };
}
