import { type JsonObject, objectAt } from '../../../json/index.ts';
import { isBuiltinGroup, targetResources } from '../../../kubernetes/resource-types/index.ts';
import { loadSubscriptionRules } from '../../load-subscription-rules.ts';
import type { TypeRules } from './rules.ts';

/** Which custom kinds there are is asked when it is written. */
export function selectsCustom({ spec }: JsonObject): boolean {
  const { group = '' } = objectAt(objectAt(spec).resource);
  return typeof group === 'string' && !isBuiltinGroup(group);
}

/** A Subscription says what it selects from, and carries the finalizer that guards its queue. */
export const subscriptionRules: TypeRules = {
  prepare: async (body, old) => (await loadSubscriptionRules()).prepareSubscription(body, old),
  initialStatus: { phase: 'Pending' },
  validate: async (body, old) => {
    if (selectsCustom(body)) return [];
    return (await loadSubscriptionRules()).validateSubscription(body, old, targetResources);
  },
};
