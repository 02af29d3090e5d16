import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState } from '../../store/index.ts';
import { converterBetween, versionsOf } from '../objects/index.ts';
import type { Seen } from './seen.ts';
import { shownStore, shownWatches } from './shown-store.ts';

/**
 * Returns the store and its watches as seen through one version of a built-in kind that is stored in another version.
 * Objects are converted in both directions.
 */
export async function versionView({ store, watches }: Seen, type: ResourceType): Promise<Seen> {
  const stored = versionsOf(type).find(({ storedAs }) => storedAs === undefined) ?? type;
  const told = await converterBetween(stored, type);
  const show = (state: ObjectState): ObjectState => ({ ...state, body: told(state.body) });
  const keep = await converterBetween(type, stored);
  const collection = collectionOfType(type);
  return {
    store: shownStore(store, { collection, show, keep }),
    watches: shownWatches(watches, { show }),
  };
}
