import type { Store } from '../../store/index.ts';

/**
 * Returns a store with some methods replaced, also for stores of one request ({@link Store.within}). The methods of a
 * store are its own properties, and use no `this`.
 */
export function storeWith(store: Store, otherwise: (store: Store) => Partial<Store>): Store {
  return {
    ...store,
    within: (...given) => storeWith(store.within(...given), otherwise),
    ...otherwise(store),
  };
}
