import { targetResources } from '../../../kubernetes/resource-types/index.ts';
import { loadSubscriptionRules } from '../../load-subscription-rules.ts';
import type { TypeRules } from './rules.ts';
import { selectsCustom } from './subscription-rules.ts';

/** The rules of Tallies. A Tally names what it counts. Its finalizer keeps it until reconcile has deleted its state. */
export const tallyRules: TypeRules = {
  prepare: async (body, old) => (await loadSubscriptionRules()).prepareTally(body, old),
  initialStatus: { phase: 'Counting' },
  validate: async (body, old) => {
    if (selectsCustom(body)) return [];
    return (await loadSubscriptionRules()).validateTally(body, old, targetResources);
  },
};
