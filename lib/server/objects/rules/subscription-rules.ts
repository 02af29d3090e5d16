import { type JsonObject, objectAt } from '../../../json/index.ts';
import { isBuiltinGroup, targetResources } from '../../../kubernetes/resource-types/index.ts';
import { loadSubscriptionRules } from '../../load-subscription-rules.ts';
import type { TypeRules } from './rules.ts';

/** Whether the spec selects from a custom kind. Custom kinds are looked up during the write. */
export function selectsCustom({ spec }: JsonObject): boolean {
  const { group = '' } = objectAt(objectAt(spec).resource);
  return typeof group === 'string' && !isBuiltinGroup(group);
}

/** The rules of Subscriptions. A Subscription names its resource, and has the finalizer that guards its queue. */
export const subscriptionRules: TypeRules = {
  prepare: async (body, old) => (await loadSubscriptionRules()).prepareSubscription(body, old),
  initialStatus: { phase: 'Pending' },
  validate: async (body, old) => {
    if (selectsCustom(body)) return [];
    return (await loadSubscriptionRules()).validateSubscription(body, old, targetResources);
  },
};
