import type { Collection, ObjectName } from '../../json/index.ts';
import { everything } from '../../selectors/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';

/**
 * An object as it is, or that it is not: everything that was written to its collection is decided before. So a deletion
 * that is not seen here begins later, and sees what was readable before this was asked.
 */
export async function stateNow(
  store: Store,
  collection: Collection,
  { namespace, name }: ObjectName,
): Promise<ObjectState | undefined> {
  const { items } = await store.list(collection, { namespace, name, selector: everything });
  return items[0];
}
