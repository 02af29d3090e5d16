import { targetResources } from '../../../kubernetes/resource-types/index.ts';
import { loadSubscriptionRules } from '../../load-subscription-rules.ts';
import type { TypeRules } from './rules.ts';
import { selectsCustom } from './subscription-rules.ts';

/** The rules of Tallies. A Tally names what it counts, and has the finalizer by which its state is deleted with it. */
export const tallyRules: TypeRules = {
  prepare: async (body, old) => (await loadSubscriptionRules()).prepareTally(body, old),
  initialStatus: { phase: 'Counting' },
  validate: async (body, old) => {
    if (selectsCustom(body)) return [];
    return (await loadSubscriptionRules()).validateTally(body, old, targetResources);
  },
};
