import { prepareSubscription, validateSubscription } from '../../watch/index.ts';
import { targetResources } from '../resource-types/index.ts';
import type { TypeRules } from './type-rules.ts';

/** A Subscription says what it selects from, and carries the finalizer that guards its queue. */
export const subscriptionRules: TypeRules = {
  prepare: (body, old) => prepareSubscription(body, old),
  initialStatus: { phase: 'Pending' },
  validate: (body, old) => validateSubscription(body, old, targetResources),
};
