import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { converterBetween, versionsOf } from '../objects/index.ts';
import type { Seen, Show } from './seen.ts';
import { shownStore, shownWatches } from './shown-store.ts';

/**
 * Returns the store and its watches as seen through one version of a built-in kind that is stored in another version.
 * Objects are converted in both directions.
 */
export async function versionView({ store, watches }: Seen, type: ResourceType): Promise<Seen> {
  const stored = storedVersion(type);
  const show = await versionShow(type);
  const keep = await converterBetween(type, stored);
  const collection = collectionOfType(type);
  return {
    store: shownStore(store, { collection, show, keep }),
    watches: shownWatches(watches, { show }),
  };
}

/** The conversion of stored states to a version of a built-in kind. */
export async function versionShow(type: ResourceType): Promise<Show> {
  const told = await converterBetween(storedVersion(type), type);
  return (state) => ({ ...state, body: told(state.body) });
}

const storedVersion = (type: ResourceType) =>
  versionsOf(type).find(({ storedAs }) => storedAs === undefined) ?? type;
