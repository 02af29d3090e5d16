import { type JsonObject, objectAt } from '../../../store/index.ts';
import { prepareSubscription, validateSubscription } from '../../../watch/index.ts';
import { isBuiltinGroup, targetResources } from '../../resource-types/index.ts';
import type { TypeRules } from './type-rules.ts';

/** Which custom kinds there are is asked when it is written. */
function selectsCustom({ spec }: JsonObject): boolean {
  const { group = '' } = objectAt(objectAt(spec).resource);
  return typeof group === 'string' && !isBuiltinGroup(group);
}

/** A Subscription says what it selects from, and carries the finalizer that guards its queue. */
export const subscriptionRules: TypeRules = {
  prepare: (body, old) => prepareSubscription(body, old),
  initialStatus: { phase: 'Pending' },
  validate: (body, old) => (selectsCustom(body) ? [] : validateSubscription(body, old, targetResources)),
};
