import { readPath, withTargets } from '../../coordination/index.ts';
import { collectionOf, metadataOf, objectAt } from '../../json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import {
  apiVersionOf,
  isBuiltinGroup,
  type ResourceType,
  targetResources,
} from '../../kubernetes/resource-types/index.ts';
import type { TargetResource } from '../../kubernetes/winnow/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { loadSubscriptionRules } from '../load-subscription-rules.ts';
import { invalid } from '../status/index.ts';
import type { CustomTypes } from './custom-types.ts';
import { storeWith } from './store-with.ts';

export interface SubscriptionStoreOptions {
  readonly type: ResourceType;
  readonly types: CustomTypes;
}

/**
 * Wraps the store for writes of Subscriptions and Tallies. A selection from a custom kind is validated against the
 * current custom kinds. A selection from a built-in kind needs no read.
 */
export function subscriptionStore(given: Store, { type, types }: SubscriptionStoreOptions): Store {
  return storeWith(given, (store) => ({
    write: (collection, name, change, options) => {
      const isTally = collection === TALLIES;
      if (!isTally && collection !== SUBSCRIPTIONS) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined) => {
        const mutation = await change(current);
        if (mutation.kind !== 'put') return mutation;
        const { body } = mutation;
        const { group = '' } = objectAt(objectAt(body.spec).resource);
        const isLeaving = metadataOf(body).deletionTimestamp !== undefined;
        if (isLeaving || typeof group !== 'string' || isBuiltinGroup(group)) return mutation;
        const { types: custom } = await types.current(store);
        const known = withTargets(targetResources, custom.map(targetOf));
        const { validateSubscription, validateTally } = await loadSubscriptionRules();
        const validate = isTally ? validateTally : validateSubscription;
        const errors = validate(body, current?.body, known);
        if (errors.length > 0) throw invalid(type, name.name, errors);
        return mutation;
      };
      return store.write(collection, name, decide, options);
    },
  }));
}

function targetOf({ group, resource, version, kind, scope, fields }: ResourceType): TargetResource {
  return {
    collection: collectionOf(group, resource),
    apiVersion: apiVersionOf({ group, version }),
    kind,
    namespaced: scope === 'Namespaced',
    fields: ['metadata.name', 'metadata.namespace', ...fields],
    readField: readPath,
  };
}
