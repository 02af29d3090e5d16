import type { Store } from '../../store/index.ts';

/** Returns a store with some methods replaced, also for stores of one request ({@link Store.within}). */
export function storeWith(store: Store, otherwise: (store: Store) => Partial<Store>): Store {
  return {
    within: (...given) => storeWith(store.within(...given), otherwise),
    get: (...given) => store.get(...given),
    write: (...given) => store.write(...given),
    list: (...given) => store.list(...given),
    visitLabels: (...given) => store.visitLabels(...given),
    head: (...given) => store.head(...given),
    snapshot: (...given) => store.snapshot(...given),
    prefetch: (...given) => store.prefetch(...given),
    reservationHolders: (...given) => store.reservationHolders(...given),
    turn: (...given) => store.turn(...given),
    selecting: (...given) => store.selecting(...given),
    nextChanges: (...given) => store.nextChanges(...given),
    decidedChanges: (...given) => store.decidedChanges(...given),
    arrived: (...given) => store.arrived(...given),
    historyOf: (...given) => store.historyOf(...given),
    changesBack: (...given) => store.changesBack(...given),
    versionAt: (...given) => store.versionAt(...given),
    accessVersions: () => store.accessVersions(),
    ruleVersions: (...given) => store.ruleVersions(...given),
    schema: () => store.schema(),
    lastSeen: (...given) => store.lastSeen(...given),
    noteSeen: (...given) => store.noteSeen(...given),
    watermarks: (...given) => store.watermarks(...given),
    raise: (...given) => store.raise(...given),
    declare: (...given) => store.declare(...given),
    ...otherwise(store),
  };
}
