import type { Collection, ObjectName } from '../../json/index.ts';
import { everything } from '../../selectors/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';

/**
 * The current state of an object, or undefined where it does not exist. Every earlier write to its collection is
 * decided before the read. A deletion that is not seen here therefore begins later, and sees everything that was
 * readable before this read.
 */
export async function stateNow(
  store: Store,
  collection: Collection,
  { namespace, name }: ObjectName,
): Promise<ObjectState | undefined> {
  const { items } = await store.list(collection, { namespace, name, selector: everything });
  return items[0];
}
