import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState } from '../../store/index.ts';
import { converterBetween, versionsOf } from '../objects/index.ts';
import type { Seen } from './seen.ts';
import { shownStore, shownWatches } from './shown-store.ts';

/**
 * The store and its watches as one version of a kind has them whose objects are kept as another: what is told is made of
 * what is kept, and the other way round.
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
