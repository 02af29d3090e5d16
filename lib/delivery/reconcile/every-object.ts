import type { Collection } from '../../json/index.ts';
import { everything } from '../../selectors/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';

/** The most objects in one page. */
const PAGE = 200;

/** Lists all objects of a small collection: subscriptions, namespaces, definitions. */
export async function everyObject(
  store: Store,
  collection: Collection,
  /** Reduces each object to the part that stays in memory. */
  keep: (object: ObjectState) => ObjectState = (object) => object,
): Promise<ObjectState[]> {
  const objects: ObjectState[] = [];
  let page = await store.list(collection, { selector: everything, limit: PAGE });
  for (;;) {
    objects.push(...page.items.map(keep));
    if (page.next === undefined) return objects;
    page = await store.list(collection, { selector: everything, limit: PAGE, at: page.rv, after: page.next });
  }
}
