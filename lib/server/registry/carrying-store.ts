import { metadataOf } from '../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Change, Mutation, ObjectState, Store } from '../../store/index.ts';
import { CARRIERS, mayCarry } from './may-carry.ts';
import { storeWith } from './store-with.ts';

/**
 * Wraps the store so that each write of a carrier declares its selectors, and the reverse index finds it. `type` is
 * the type of the request.
 */
export function carryingStore(given: Store, type: ResourceType): Store {
  return storeWith(given, (store) => ({
    write: (collection, name, change, options) => {
      const custom = collection === collectionOfType(type) ? type.custom : undefined;
      const carrying = async (current: ObjectState | undefined): Promise<Mutation> => {
        const mutation = await change(current);
        if (mutation.kind !== 'put') return mutation;
        const carried = current?.anchored !== undefined;
        if (!carried && !mayCarry(collection, mutation.body, custom)) return mutation;
        const { carriedBy } = await import('../../kubernetes/carriers/index.ts');
        const { namespace = '' } = metadataOf(mutation.body);
        const selects = carriedBy({ collection, namespace: String(namespace), body: mutation.body }, custom);
        return { ...mutation, selects };
      };
      const isCarrier = CARRIERS.has(collection) || custom?.selects !== undefined;
      const decide: Change = (current) =>
        isCarrier || current?.anchored !== undefined ? carrying(current) : change(current);
      return store.write(collection, name, decide, options);
    },
  }));
}
