import type { Collection } from '../../json/index.ts';
import { everything } from '../../selectors/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';

/** Objects in one page. */
const PAGE = 200;

/** All objects of a collection that has few: subscriptions, namespaces, definitions. */
export async function everyObject(
  store: Store,
  collection: Collection,
  /** What is kept in memory of each object. */
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
